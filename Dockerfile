# The web app in a small image: games are kept in /data, the port is 7161.
FROM rust:1.95-slim-trixie AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# For any CPU, not for that of the machine that builds.
ENV RUSTFLAGS="-C target-cpu=generic"
RUN cargo build --release --locked --bin sumito

FROM debian:trixie-slim
RUN useradd --system --create-home --home-dir /data sumito
COPY --from=build /src/target/release/sumito /usr/local/bin/sumito
USER sumito
WORKDIR /data
VOLUME /data
EXPOSE 7161
STOPSIGNAL SIGTERM
ENTRYPOINT ["sumito", "serve", "--listen", "0.0.0.0", "--database", "/data/sumito.db"]
