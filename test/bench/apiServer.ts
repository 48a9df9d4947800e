import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { firstLine, startNode, stopChild, type Child } from './childProcess.ts'

/** Running build of the server. */
export interface ApiServer extends Child {
  /** Port of plain HTTP on loopback. */
  port: number
  /** Port of HTTPS. */
  securePort: number
  token: string
  /** Time from the start of the process to the first successful authenticated response. */
  startMs: number
  stop: () => Promise<void>
}

/**
 * Copies the build, so that rebuilding does not disturb a measurement. @returns the main file of
 * the copy.
 */
export function copyBuild(root: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'dist/apiserver/main.js')
}

/** Starts the server on a data folder. `nodeFlags` are passed to Node, `flags` to the server. */
export async function startApiServer(
  main: string,
  dataDir: string,
  { nodeFlags = [], flags = [] }: { nodeFlags?: readonly string[]; flags?: readonly string[] } = {},
): Promise<ApiServer> {
  const ports = ['--secure-port', '0', '--insecure-port', '0']
  const kubeconfig = ['--kubeconfig-out', join(dataDir, 'kubeconfig')]
  const began = performance.now()
  const child = startNode(
    [...nodeFlags, main, 'serve', '--data-dir', dataDir, ...ports, ...kubeconfig, ...flags],
    { quiet: true },
  )
  const { stderr } = child.process
  if (stderr === null) throw new Error('the server has no standard error')
  const { port, securePort } = await firstLine(stderr, servingPorts)
  const token = readFileSync(join(dataDir, 'admin-access-key'), 'utf8').trim()
  await requestOnce(port, token)
  const startMs = performance.now() - began
  return { ...child, port, securePort, token, startMs, stop: () => stopChild(child) }
}

function servingPorts(line: string): { port: number; securePort: number } | undefined {
  const secure = /"url":"https:\/\/127\.0\.0\.1:(\d+)"/.exec(line)
  const plain = /"insecureUrl":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(line)
  if (secure === null || plain === null) return undefined
  return { port: Number(plain[1]), securePort: Number(secure[1]) }
}

function requestOnce(port: number, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const path = '/api/v1/namespaces/default'
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      answer.resume()
      if (answer.statusCode === 200) answer.on('end', resolve)
      else reject(new Error(`first request: ${answer.statusCode}`))
    }).on('error', reject)
  })
}
