import { newestMinor, oldestMinor } from '../../apis/kubernetes/emulatedVersion.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { StartError } from '../../runtime/startError.ts'

const component = 'kube'

/**
 * Minor version of `--emulated-version`: `1.36` or `kube=1.36`; by default the newest one.
 * @throws StartError for a value that is not a version, in the real program's wording.
 */
export function emulatedMinor(given: readonly string[]): { minor: number; problems: string[] } {
  const versions = given.map(versionOf)
  const [version, other] = versions
  if (other !== undefined) {
    throw new StartError(
      `duplicate version flag, ${component}=${version ?? ''} and ${component}=${other}`,
    )
  }
  if (version === undefined) return { minor: newestMinor, problems: [] }
  const [, major, minor = '', patch] = /^v?(\d+)\.(\d+)(\.\d+)?/.exec(version) ?? []
  if (major === undefined) throw new StartError(`could not parse ${goQuote(version)} as version`)
  if (patch !== undefined) {
    throw new StartError(`patch version not allowed, got: ${component}=${version}`)
  }
  const isServed = major === '1' && Number(minor) >= oldestMinor && Number(minor) <= newestMinor
  const why = `emulation version ${major}.${minor} is not between [1.${oldestMinor}, 1.${newestMinor}.0]`
  return { minor: Number(minor), problems: isServed ? [] : [why] }
}

function versionOf(text: string): string {
  const [name = '', version] = text.split('=')
  if (version === undefined) return text
  if (name === component) return version
  throw new StartError(`component not registered: ${name}`)
}
