import process from 'node:process'
import type { Clock } from '../meta/clock.ts'
import { messageOf } from '../meta/messageOf.ts'
import { failed, type Finding } from '../runtime/finding.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'
import { systemReason } from '../runtime/systemReason.ts'
import { checkCertificates } from './certificateFindings.ts'
import { checkDisk } from './diskCheck.ts'
import { checkFiles } from './fileChecks.ts'
import { checkFolder, type FolderState } from './folderChecks.ts'
import { checkEtcd, checkPorts } from './portChecks.ts'
import { checkClock, checkLibrary, checkNode } from './runtimeChecks.ts'

/**
 * Checks whether a server with these options can start and keep serving. Nothing is created or changed.
 * @param options undefined: they are invalid, and only the machine is checked.
 */
export async function examine(
  options: ServerOptions | undefined,
  clock: Clock,
): Promise<Finding[]> {
  const findings = [checkNode(process.versions.node, clock), await checkLibrary()]
  if (options === undefined) return [...findings, checkClock(clock, undefined)]
  const { dataDir, storage } = options
  const folder: FolderState =
    dataDir === undefined
      ? { findings: [], isInUse: false, newestMs: undefined }
      : await checkFolder(dataDir, { hasObjects: storage === 'level' })
  const rest = await Promise.all([
    examined('files', () => checkFiles(options)),
    examined('certificate', () => checkCertificates(options, clock)),
    dataDir === undefined ? [] : examined('disk', async () => [await checkDisk(dataDir)]),
    examined('port', () => checkPorts(options, folder.isInUse)),
    examined('etcd', () => checkEtcd(options)),
  ])
  const time = checkClock(clock, folder.newestMs)
  return [...findings, time, ...folder.findings, ...rest.flat()]
}

/** Runs a check. A check that cannot be run is reported as a finding, too. */
async function examined(check: string, run: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run()
  } catch (error) {
    const said = messageOf(error)
    const text = systemReason(error) === undefined ? said : `${pathOf(error)}${systemReason(error)}`
    return [failed(check, text, 'run this command as the user of the server')]
  }
}

function pathOf(error: unknown): string {
  return error instanceof Error && 'path' in error ? `${String(error.path)}: ` : ''
}
