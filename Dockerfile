FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# What the bundles contain already goes, and so does what only builds: the compiler, pictures, source maps.
RUN cp dist/package.json . && npm prune \
  && rm -rf .next/cache node_modules/@next/swc-* node_modules/@img node_modules/sharp \
  && find .next node_modules -name "*.map" -delete

FROM node:20-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /app
# Of root: the service cannot change its own code.
COPY --from=build /app/package.json /app/next.config.mjs /app/LICENSE ./
COPY --from=build /app/src/cli/run.mjs src/cli/
COPY --from=build /app/src/guides src/guides
COPY --from=build /app/drizzle drizzle
COPY --from=build /app/public public
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/.next .next
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# What `npm start` runs, without npm between the service and its signals.
CMD ["node", "--max-semi-space-size=8", "dist/cli/serve.js", "start"]
