import type { Bench } from '../bench.ts'
import { median, type Row } from '../row.ts'
import { sampleObject } from '../sampleObject.ts'

const callers = 256

/** Group commit alone: the storage in process. */
export async function commitRows(bench: Bench): Promise<Row[]> {
  const object = await sampleObject(bench)
  const probe = (mode: string) => () => bench.storageProbeOf(mode, object, callers)
  const modes = ['ours', 'group-1', 'group-2'].map(probe)
  const [ours = 0, one = 0, two = 0] = (await bench.inTurn(modes)).map(median)
  const common = { ours, unit: '/s' }
  const what = `group commit alone, ${callers} callers`
  return [
    {
      ...common,
      id: 'commit',
      what,
      raw: { value: one, what: 'bare group commit of the same values, one key a write' },
      aim: { ratio: 0.8 },
    },
    {
      ...common,
      id: 'commit-with-history',
      what: `${what}, history too`,
      raw: { value: two, what: 'the same with a second key of 80 bytes, as history has' },
    },
  ]
}
