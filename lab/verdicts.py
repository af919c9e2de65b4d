#!/usr/bin/env python3
"""Writes experiments/verdicts.md: the verdicts of 0.1.0 (commit 55c50b3) beside those of the results now. Reasons are in reasons.json
beside this file: by claim, by 'experiment|', or by 'experiment|before>after'. Usage: verdicts.py CHECKOUT BINARY"""
import json,re,subprocess,sys,difflib,pathlib
tree,binary=sys.argv[1:3]
old_text=subprocess.run(['git','-C',tree,'show','55c50b3:experiments/README.md'],capture_output=True,text=True,check=True).stdout
def row(line):
    return [c.strip() for c in re.split(r'(?<!\\)\|',line)[1:-1]]
papers=['aba-pro','verloop','maastricht','bcit','cornell','ours']
titles,old,k=[], [], -1
for line in old_text.splitlines():
    if line.startswith('## '): k+=1; titles.append(line[3:]); continue
    if not line.startswith('|') or line.startswith('| where') or line.startswith('| ---'): continue
    c=row(line); m=re.search(r'results/([^)]*)/report.md',c[0])
    if not c[4]: continue
    old.append(dict(name=m[1] if m else papers[k]+'/?',paper=papers[k],says=c[1],verdict=c[4].replace('*','').split(',')[0]))
new=[]
defs=sorted(pathlib.Path(tree,'experiments/definitions').glob('*/*.toml'))
for d in defs:
    name=f'{d.parent.name}/{d.stem}'
    r=subprocess.run([binary,'lab','show',name,'--json'],capture_output=True,text=True,cwd=tree)
    if r.returncode: print(name,r.stderr,file=sys.stderr); continue
    data=json.loads(r.stdout); data=data[0] if isinstance(data,list) else data
    res=pathlib.Path(tree,'experiments/results',name,'result.json')
    version=json.loads(res.read_text())['version'] if res.exists() else None
    V={'confirmed':'confirmed','not-confirmed':'not confirmed','undecided':'undecided','unchecked':'cannot be checked','open':'not run yet'}
    for c in data['claims']:
        new.append(dict(name=name,paper=d.parent.name,says=c['says'],verdict=V[c['verdict']],version=version,order=papers.index(d.parent.name),needs=c.get('needs')))
norm=lambda s: re.sub(r'[^a-z0-9 ]','',s.lower())
used=set()
def take(pred,cut):
    pairs=[]
    for i,o in enumerate(old):
        if 'new' in o: continue
        for j,n in enumerate(new):
            if j in used or n['paper']!=o['paper'] or not pred(o,n): continue
            r=difflib.SequenceMatcher(None,norm(o['says']),norm(n['says'])).ratio()
            if r>=cut: pairs.append((r,i,j))
    for r,i,j in sorted(pairs,reverse=True):
        if 'new' in old[i] or j in used: continue
        old[i]['new']=new[j]; new[j]['old']=old[i]; used.add(j)
take(lambda o,n:o['name']==n['name'],1.0); take(lambda o,n:True,1.0)
take(lambda o,n:o['name']==n['name'],0.62); take(lambda o,n:True,0.75)
R=json.loads(pathlib.Path(__file__).with_name('reasons.json').read_text()) if pathlib.Path(__file__).with_name('reasons.json').exists() else {}
missing=[]
def reason(name,says,before,after):
    for key in (f'{name}|{says}',says,f'{name}|{before}>{after}',f'{name}|',f'|{before}>{after}'):
        if key in R: return R[key]
    missing.append((name,says,before,after)); return ''
out=[]
esc=lambda s:s.replace('|','\\|')
import collections
count=collections.Counter()
tally=lambda items: ', '.join(f'{n} {v}' for v,n in items.items() if n)
order=['confirmed','not confirmed','undecided','cannot be checked','not run yet']
def tal(vs): 
    c=collections.Counter(vs); return ', '.join(f'{c[v]} {v}' for v in order if c[v])
body=[]
same=changed=0
for p,title in zip(papers,titles):
    rows=[]
    for n in sorted([n for n in new if n['paper']==p],key=lambda n:n['name']):
        before=n['old']['verdict'] if 'old' in n else '–'
        after=n['verdict']
        if before==after:
            same+=1
            kind='the same claim' if norm(n['old']['says'])==norm(n['says']) else 'worded anew'
            why=f'{kind}, '+('measured again' if n['version'] not in (None,'0.1.0') else "0.1.0's measurement" if n['version'] else 'nothing to measure')
            if after=='undecided' and n['needs']: why+=f'; about {n["needs"]["count"]:,} {n["needs"]["of"]} would decide it'
        elif after=='not run yet':
            why='not measured with the present program; its earlier result is taken away' if before!='–' else 'new, not measured yet'
        else:
            changed+=1; why=reason(n['name'],n['says'],before,after)
        rows.append(f"| {n['name']} | {esc(n['says'])} | {before} | {after} | {esc(why)} |")
    for o in [o for o in old if o['paper']==p and 'new' not in o]:
        why=reason(o['name'],o['says'],o['verdict'],'–')
        rows.append(f"| {o['name'].replace('/?','')} | {esc(o['says'])} | {o['verdict']} | – | {esc(why)} |")
    body.append(f'\n## {title}\n\n| experiment | claim | before | after | reason |\n| --- | --- | --- | --- | --- |\n'+'\n'.join(rows)+'\n')
head=f'''# Verdicts before and after

The verdicts of version 0.1.0 (commit 55c50b3) beside those of the results in this folder, claim by claim, with the reason of each change. A claim without
a verdict before is new; one without a verdict after was replaced or left out. What has the same verdict was measured again
unless it says otherwise.

Before: {len(old)} claims: {tal(o['verdict'] for o in old)}.

After: {len(new)} claims: {tal(n['verdict'] for n in new)}.
'''
pathlib.Path(tree,'experiments/verdicts.md').write_text(head+''.join(body))
print('old',len(old),'new',len(new),'matched',len(used),'same',same,'changed',changed,'without reason',len(missing))
for m in missing: print('   ',*m,sep=' | ')
