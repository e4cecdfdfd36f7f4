FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# The image has a Node of its own, so the pinned one stays behind with the tools of the build.
RUN node scripts/build.mjs && npm prune --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:26-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN useradd --system --user-group --no-create-home tirage && install -d -o tirage -g tirage -m 700 /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/server/page/fonts ./server/page/fonts
COPY --from=build /app/dist ./dist
USER tirage
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/cli.js", "start"]
