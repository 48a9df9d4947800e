import { createRequire } from 'node:module'
import process from 'node:process'
import { formatTime, type Clock } from '../meta/clock.ts'
import { messageOf } from '../meta/messageOf.ts'
import { failed, fine, warning, type Finding } from '../runtime/finding.ts'

const oldest = [20, 19] as const

/** Last days with security fixes, by the major version of Node. Source: the release schedule of Node. */
const supportedUntil: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
}

const upgrade = 'install Node 24, and run npm rebuild in the folder of the package'

/** Checks that this version of Node is new enough and gets security fixes. */
export function checkNode(version: string, clock: Clock): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const name = `Node ${version} on ${process.platform} ${process.arch}`
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    return failed('node', `${name} is older than ${oldest.join('.')}`, upgrade)
  const until = supportedUntil[major]
  if (until !== undefined && clock.now() > Date.parse(`${until}T23:59:59Z`))
    return warning('node', `${name} has had no security fixes since ${until}`, upgrade)
  return fine('node', `${name}, OpenSSL ${process.versions.openssl}`)
}

/** Checks that the native library of the database can be loaded. */
export async function checkLibrary(): Promise<Finding> {
  try {
    await import('../storage/level/format/classicLevel.ts')
    return fine('library', `classic-level ${libraryVersion()} is loaded`)
  } catch (error) {
    const [why] = messageOf(error).split('\n')
    return failed(
      'library',
      `the native library of classic-level cannot be loaded: ${why}`,
      `run npm rebuild classic-level with the Node of the server; there are binaries for Linux, macOS and Windows on x64 and arm64`,
    )
  }
}

function libraryVersion(): string {
  // Sound: a package.json that npm installed has a version.
  return (createRequire(import.meta.url)('classic-level/package.json') as { version: string })
    .version
}

/**
 * Tolerated difference in milliseconds, slightly more than usual between the clocks of file
 * servers.
 */
const toleratedMs = 60_000

/**
 * Warns if the clock was set back: a file is newer than the current time.
 * @param newestMs modification time of the newest file in the data folder; undefined: no file.
 */
export function checkClock(clock: Clock, newestMs: number | undefined): Finding {
  const now = clock.now()
  const time = formatTime(now)
  if (newestMs !== undefined && newestMs - now > toleratedMs)
    return failed(
      'clock',
      `it is ${time}, but a file of the data folder was written at ${formatTime(newestMs)}`,
      'set the clock, and keep it right with NTP: keys and certificates end by it',
    )
  return fine('clock', `it is ${time}`)
}
