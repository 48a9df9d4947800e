import { setTimeout as pause } from 'node:timers/promises'
import { endProgram, etcdFlags, freePort, startProgram } from './peerProcess.ts'

export interface Etcd {
  /** URL for clients. */
  endpoint: string
  stop: () => Promise<void>
}

const longestStartMs = 30_000

/** Starts a member that writes to disk, on an empty folder. @throws Error with its last words. */
export async function startEtcd(program: string, folder: string): Promise<Etcd> {
  const client = await freePort()
  const endpoint = `http://127.0.0.1:${client}`
  const started = startProgram(program, etcdFlags(folder, client, await freePort()))
  const until = performance.now() + longestStartMs
  while (!(await isHealthy(endpoint))) {
    if (started.child.exitCode !== null || performance.now() > until) {
      await endProgram(started)
      throw new Error(`etcd did not start:\n${started.words()}`)
    }
    await pause(20)
  }
  return { endpoint, stop: () => endProgram(started) }
}

async function isHealthy(endpoint: string): Promise<boolean> {
  const answer = await fetch(`${endpoint}/health`).catch(() => undefined)
  return answer?.ok === true
}
