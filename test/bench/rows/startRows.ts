import { spawnSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { residentBytes } from '../childProcess.ts'
import { median, type Row } from '../row.ts'

const starts = 5
const settleMs = 1500

/** Start to the first successful request, and memory at rest. */
export async function startRows(bench: Bench): Promise<Row[]> {
  const first: number[] = []
  const second: number[] = []
  const node: number[] = []
  let memory = 0
  for (let round = 0; round < starts; round++) {
    const folder = bench.newFolder()
    for (const times of [first, second]) {
      const server = await bench.startServer(folder)
      times.push(server.startMs)
      if (round === starts - 1) {
        await pause(settleMs)
        memory = residentBytes(server.pid)
      }
      await server.stop()
    }
    const began = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    node.push(performance.now() - began)
  }
  const raw = { value: median(node), what: 'node -e 0' }
  const aim = { most: 300 }
  return [
    {
      id: 'start-fresh',
      what: 'start on a fresh folder → first answer',
      ours: median(first),
      unit: 'ms',
      raw,
      aim,
    },
    {
      id: 'start-again',
      what: 'start on the same folder → first answer',
      ours: median(second),
      unit: 'ms',
      raw,
      aim,
    },
    {
      id: 'idle-memory',
      what: 'memory at rest (RSS)',
      ours: memory / 1e6,
      unit: 'MB',
      aim: { most: 100 },
    },
  ]
}
