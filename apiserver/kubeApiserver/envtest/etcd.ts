#!/usr/bin/env node
import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { resolve } from 'node:path'
import process from 'node:process'
import { dataPath, type DataAnswer } from './dataPath.ts'
import { etcdFlagNames, readEtcdFlags } from './etcdFlags.ts'

/**
 * Substitute for etcd: it responds to health checks, and tells the kube-apiserver in the same folder where to keep its
 * data. It stores nothing itself, and loads only Node's own modules, so that it starts quickly.
 */
function main(args: readonly string[]): void {
  if (args.some((arg) => /^--?(help|h)$/.test(arg))) return void process.stdout.write(helpText())
  if (args.some((arg) => /^--?version$/.test(arg))) {
    return void process.stdout.write(`etcd Version: ${version}\n`)
  }
  const flags = readEtcdFlags(args)
  const folder = flags.get('data-dir') ?? `${flags.get('name') ?? 'default'}.etcd`
  const answer: DataAnswer = {
    dataDir: resolve(folder),
    syncsWrites: flags.get('unsafe-no-fsync') !== 'true',
  }
  mkdirSync(answer.dataDir, { recursive: true, mode: 0o700 })
  const urls = (flags.get('listen-client-urls') ?? 'http://localhost:2379').split(',')
  const servers = urls.map((url) => listen(new URL(url), answer))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    })
  }
}

/** The etcd version that defines the accepted flags. */
const version = '3.6.0'

function listen(url: URL, answer: DataAnswer): Server {
  if (url.protocol !== 'http:') throw new Error(`${url.origin}: only http URLs are served here`)
  const bodies: Readonly<Record<string, unknown>> = {
    '/health': { health: 'true', reason: '' },
    '/version': { etcdserver: version, etcdcluster: version },
    [dataPath]: answer,
  }
  const server = createServer((request, response) => {
    const body = bodies[request.url?.split('?')[0] ?? '']
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('Content-Type', body === undefined ? 'text/plain' : 'application/json')
    response.end(body === undefined ? '404 page not found\n' : JSON.stringify(body))
  })
  server.on('error', fail)
  server.listen(Number(url.port === '' ? 80 : url.port), url.hostname.replace(/^\[|\]$/g, ''))
  return server
}

function helpText(): string {
  const names = etcdFlagNames.map((name) => `  --${name}\n`).join('')
  return `etcd for tests: answers health checks, and holds the data folder of kube-apiserver beside it.

--listen-client-urls, --data-dir, --name and --unsafe-no-fsync have their effect; all others are accepted.

${names}`
}

function fail(error: Error): void {
  process.stderr.write(`etcd: ${error.message}\n`)
  process.exit(1)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  fail(error instanceof Error ? error : new Error(String(error)))
}
