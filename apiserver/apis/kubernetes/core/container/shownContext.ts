import { isObject } from '../../../../meta/json/isObject.ts'
import type { SecurityContext } from '../../shapes/coreV1.ts'

/**
 * Fields of parts of a security context, with the names and the order of kube-apiserver's internal
 * types. `!` marks non-pointer strings, which are empty if unset.
 */
const parts: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...['Capabilities', 'Privileged', 'SELinuxOptions', 'WindowsOptions', 'RunAsUser'],
    ...['RunAsGroup', 'RunAsNonRoot', 'ReadOnlyRootFilesystem', 'AllowPrivilegeEscalation'],
    ...['ProcMount', 'SeccompProfile', 'AppArmorProfile'],
  ],
  Capabilities: ['Add', 'Drop'],
  SELinuxOptions: ['!User', '!Role', '!Type', '!Level'],
  WindowsOptions: ['GMSACredentialSpecName', 'GMSACredentialSpec', 'RunAsUserName', 'HostProcess'],
  SeccompProfile: ['!Type', 'LocalhostProfile'],
  AppArmorProfile: ['!Type', 'LocalhostProfile'],
}

/** Security context as error messages show it. Source: seen on kube-apiserver 1.37.2. */
export function shownContext(context: SecurityContext): unknown {
  return shown(context, '')
}

function shown(value: unknown, part: string): unknown {
  const names = parts[part]
  if (names === undefined || !isObject(value)) return value ?? null
  return Object.fromEntries(
    names.map((marked) => {
      const name = marked.replace('!', '')
      const member = value[fieldOf(name)]
      const isText = member === undefined && name !== marked
      return [name, isText ? '' : shown(member, name)]
    }),
  )
}

/** JSON field for an internal name. Acronyms are lower-cased as a whole, with one exception. */
function fieldOf(name: string): string {
  if (name.startsWith('SELinux')) return name.replace('SEL', 'seL')
  if (name.startsWith('GMSA')) return name.replace('GMSA', 'gmsa')
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}
