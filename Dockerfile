FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && node --import tsx src/cli/image.ts /image && mkdir /data

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Creator Growth Tracking Service" \
      org.opencontainers.image.description="Alerts when video creators rise" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /app
RUN useradd --system --no-create-home growth
COPY --from=build /usr/local/bin/node /usr/local/bin/
# Owned by root, so that the service cannot change its own code.
COPY --from=build /image ./
COPY --from=build --chown=growth:growth /data /data
USER growth
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# What `npm start` runs, without npm between the service and its signals.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=150", "dist/cli/serve.js", "start"]
