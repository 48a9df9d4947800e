import { mkdirSync } from 'node:fs'
import { platformReplica } from './platformReplica.ts'
import type { Target, TargetOptions } from './target.ts'

/** Target of a single server on LevelDB. */
export async function openLevelTarget({ folder }: TargetOptions): Promise<Target> {
  mkdirSync(folder, { recursive: true })
  const replica = await platformReplica({ name: 'r0', folder, flags: [], links: [] })
  const { daemon } = replica
  return {
    replicas: [replica],
    stop: () => daemon.end('SIGKILL'),
    killNow: () => daemon.killNow(),
  }
}
