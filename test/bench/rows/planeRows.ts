import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench.ts'
import { firstLine, startNode, stopChild } from '../childProcess.ts'
import type { PlaneCosts } from '../planeCosts.ts'
import type { Row } from '../row.ts'

const planeProbe = fileURLToPath(new URL('../planeProbe.ts', import.meta.url))
const count = 2000

/** Thousands of control planes in one process. */
export async function planeRows(bench: Bench): Promise<Row[]> {
  const costs = await measured(bench.newFolder())
  const { createMs, createP99Ms, reopenMs, unusedBytes, idleBytes, leftBytes } = costs
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`
  return [
    {
      id: 'plane-create',
      what: 'control plane: first request → its first objects durable',
      ours: createMs,
      unit: 'ms',
      aim: { most: 5 },
      detail: `p99 ${createP99Ms.toFixed(1)} ms; again after it was dropped ${reopenMs.toFixed(1)} ms`,
    },
    {
      id: 'plane-idle',
      what: `control plane: memory of one of ${count} empty idle ones`,
      ours: idleBytes / 1000,
      unit: 'KB',
      aim: { most: 50 },
      detail: `never used ${kb(unusedBytes)}; deleted ${kb(leftBytes)}`,
    },
  ]
}

async function measured(folder: string): Promise<PlaneCosts> {
  const child = startNode(['--import', 'tsx', planeProbe, folder, String(count)])
  const { stdout } = child.process
  if (stdout === null) throw new Error('the probe has no output')
  const costs = await firstLine(stdout, (line) => JSON.parse(line) as PlaneCosts)
  await stopChild(child)
  return costs
}
