import type { StorageMove } from '../../runtime/options/storageMove.ts'
import type { GivenValues } from './commandLine.ts'
import { setting, type Setting } from './setting.ts'
import { UsageError } from './usageError.ts'
import { choice, filePath } from './valueKinds.ts'

const from: Setting = {
  ...setting('from', {
    kind: filePath,
    description:
      'Copy all objects from this storage, level or etcd, or from the file of a backup. Requires --to.',
    assign: () => undefined,
  }),
  inFile: false,
}

const to: Setting = {
  ...setting('to', {
    kind: choice(['level', 'etcd']),
    description:
      'Copy all objects into this storage: the data folder, which must be empty, or etcd below --etcd-prefix, which must ' +
      'hold nothing. Requires --from.',
    assign: () => undefined,
  }),
  inFile: false,
}

/** Flags of `storage migrate` in addition to those of `serve`. */
export const moveSettings: readonly Setting[] = [from, to]

/** The requested copy; undefined: none requested. @throws UsageError. */
export function readMove(flags: GivenValues): StorageMove | undefined {
  const source = flags.get(from.path)?.text
  const target = flags.get(to.path)?.text
  if (source === undefined && target === undefined) return undefined
  const problems = moveProblems(source, target)
  if (problems.length > 0) throw new UsageError(problems)
  // Other values were reported as problems.
  return { from: source ?? '', to: target as StorageMove['to'] }
}

function moveProblems(source: string | undefined, target: string | undefined): string[] {
  const problems: string[] = []
  if (source === undefined || source === '') problems.push('--to requires --from')
  if (target === undefined) problems.push('--from requires --to')
  else if (target !== 'level' && target !== 'etcd') problems.push(`--to must be ${to.mustBe}`)
  if (source !== undefined && source === target)
    problems.push('--from and --to must name different storages')
  return problems
}
