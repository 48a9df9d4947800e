/**
 * Starts the server and then kube-apiserver in this process, and writes the code cache of their script. Run by
 * codeCache.ts with the URL of the build and an empty folder; plain JavaScript, so that no loader is involved.
 */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'

const [dist, folder] = process.argv.slice(2)
const { writeCodeCache } = await import(`${dist}/chunks/serverScript.js`)
const { startServer } = await import(`${dist}/apiserver/server.js`)
const dataDir = join(folder, 'data')
const server = await startServer({ dataDir, securePort: 0, insecurePort: 0 })
await server.stop()

const [etcdPort, port] = [await freePort(), await freePort()]
const etcd = `http://127.0.0.1:${etcdPort}`
await start('kubeApiserver/envtest/etcd.js', [
  `--listen-client-urls=${etcd}`,
  `--data-dir=${join(folder, 'etcd')}`,
])
const keyFile = join(folder, 'accounts.key')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
writeFileSync(keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }))
void start('main.js', [
  ...['kube-apiserver', `--etcd-servers=${etcd}`, `--secure-port=${port}`],
  ...['--bind-address=127.0.0.1', `--cert-dir=${folder}`, '--authorization-mode=RBAC'],
  ...['--service-account-issuer=https://127.0.0.1', `--service-account-key-file=${keyFile}`],
  `--service-account-signing-key-file=${keyFile}`,
])
while (!(await isReady())) await setTimeout(10)
// The program exits the process after it has stopped.
process.once('exit', () => {
  // As when the script is loaded: the cache is valid only with these flags.
  setFlagsFromString('--allocation-site-pretenuring')
  writeCodeCache()
})
process.kill(process.pid, 'SIGTERM')

/** Runs a program of the build in this process. */
function start(path, args) {
  process.argv.splice(2, Infinity, ...args)
  return import(`${dist}/apiserver/${path}`)
}

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address()
  listener.close()
  return port
}

function isReady() {
  const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false }
  return new Promise((resolve) => {
    const request = get({ ...options, agent: false }, ({ statusCode }) =>
      resolve(statusCode === 200),
    )
    request.on('error', () => resolve(false))
  })
}
