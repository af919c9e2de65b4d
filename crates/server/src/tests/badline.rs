//! A line between a client and its server that is cut again and again, by reset and by silence. The tests of the program use this file as well.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What each part of a message takes on its way, so that games last longer than the line.
const WAY: Duration = Duration::from_millis(10);

/// A line between a bot and its server that is cut again and again.
pub(crate) struct BadLine {
    pub(crate) address: SocketAddr,
    /// Connections that were cut: by reset, and by silence.
    cut: Arc<[AtomicUsize; 2]>,
    every: Duration,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for BadLine {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl BadLine {
    pub(crate) async fn new(to: SocketAddr, every: Duration) -> BadLine {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (address, cut) = (listener.local_addr().expect("an address"), Arc::<[AtomicUsize; 2]>::default());
        let counts = Arc::clone(&cut);
        let task = tokio::spawn(async move {
            let (cuts, _) = watch::channel(0_usize);
            let cuts = Arc::new(cuts);
            let clock = Arc::clone(&cuts);
            tokio::spawn(async move {
                while !clock.is_closed() || clock.receiver_count() == 0 {
                    tokio::time::sleep(every).await;
                    clock.send_modify(|count| *count += 1);
                }
            });
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(to).await else { continue };
                tokio::spawn(carry((near, far), every, cuts.subscribe(), Arc::clone(&counts)));
            }
        });
        BadLine { address, cut, every, task }
    }

    /// It was cut in both ways while so many games were played.
    pub(crate) fn was_cut(&self, games: usize) {
        let [resets, silences] = [0, 1].map(|kind| self.cut[kind].load(Ordering::Relaxed));
        println!(
            "{games} games over a line cut every {:?}: {resets} resets, {silences} silences",
            self.every
        );
        assert!(resets >= 2 && silences >= 2, "{resets} resets and {silences} silences");
    }
}

/// Carries what both sides say until the line is cut: every other time with a reset, else by saying nothing more.
async fn carry(
    (near, far): (TcpStream, TcpStream),
    every: Duration,
    mut cuts: watch::Receiver<usize>,
    counts: Arc<[AtomicUsize; 2]>,
) {
    let linger = near.set_zero_linger();
    let (mut near_in, mut near_out) = near.into_split();
    let (mut far_in, mut far_out) = far.into_split();
    let there = async { copy(&mut near_in, &mut far_out).await };
    let back = async { copy(&mut far_in, &mut near_out).await };
    let number = tokio::select! {
        _ = async { tokio::join!(there, back) } => return,
        changed = cuts.changed() => match changed {
            Ok(()) => *cuts.borrow(),
            Err(_) => return,
        },
    };
    linger.expect("a socket of ours");
    counts[number % 2].fetch_add(1, Ordering::Relaxed);
    if number % 2 == 1 {
        // Both ends stay open, and hear nothing: longer than anybody waits.
        tokio::time::sleep(every * 10).await;
    }
}

async fn copy(from: &mut (impl AsyncReadExt + Unpin), to: &mut (impl AsyncWriteExt + Unpin)) {
    let mut buffer = [0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        tokio::time::sleep(WAY).await;
        if to.write_all(&buffer[..count]).await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}
