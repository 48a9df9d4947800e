import { invalidField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { errorIf, givenName } from '../../../fieldChecks.ts'
import type { WindowsSecurityContextOptions } from '../../shapes/coreV1.ts'

const maxSpecKiB = 64
const maxDomainBytes = 256
const maxUserBytes = 104

/**
 * Errors for Windows options. Source: Kubernetes API reference, WindowsSecurityContextOptions v1;
 * seen on kube-apiserver 1.37.2.
 */
export function windowsErrors(
  path: string,
  options: WindowsSecurityContextOptions | undefined,
): FieldError[] {
  if (options === undefined) return []
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options
  return [
    ...givenName(`${path}.gmsaCredentialSpecName`, name, subdomainErrors),
    ...(spec === undefined ? [] : specErrors(`${path}.gmsaCredentialSpec`, spec)),
    ...(user === undefined ? [] : userErrors(`${path}.runAsUserName`, user)),
  ]
}

function specErrors(path: string, spec: string): FieldError[] {
  if (spec === '') return [invalidField(path, spec, 'gmsaCredentialSpec cannot be an empty string')]
  return errorIf(Buffer.byteLength(spec) > maxSpecKiB * 1024, () =>
    invalidField(path, spec, `gmsaCredentialSpec size must be under ${maxSpecKiB} KiB`),
  )
}

// Matching control characters is intended.

const controls = /[\x00-\x1f\x7f]/

/** Errors for a user: `DOMAIN\user`, or the user alone. */
function userErrors(path: string, user: string): FieldError[] {
  const refuse = (detail: string) => [invalidField(path, user, `runAsUserName ${detail}`)]
  if (user === '') return refuse('cannot be an empty string')
  if (controls.test(user)) return refuse('cannot contain control characters')
  const parts = user.split('\\')
  if (parts.length > 2) return refuse('cannot contain more than one backslash')
  const [name = '', domain] = parts.reverse()
  const problems = [...(domain === undefined ? [] : domainProblems(domain)), ...nameProblems(name)]
  return problems.map((text) => invalidField(path, user, `runAsUserName's ${text}`))
}

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const dns = new RegExp(`^${label}(?:\\.${label})*$`)

function domainProblems(domain: string): string[] {
  const isName = netBios.test(domain) || dns.test(domain)
  return [
    ...(Buffer.byteLength(domain) >= maxDomainBytes
      ? [`Domain length must be under ${maxDomainBytes} characters`]
      : []),
    ...(isName ? [] : ["Domain doesn't match the NetBios nor the DNS format"]),
  ]
}

const userCharacters = /["/\\:;|=,+*?<>@[\]]/

function nameProblems(name: string): string[] {
  const isLong = Buffer.byteLength(name) > maxUserBytes
  return [
    ...(name === '' ? ['User cannot be empty'] : []),
    ...(isLong ? [`User length must not be longer than ${maxUserBytes} characters`] : []),
    ...(/^[. ]+$/.test(name) ? ['User cannot contain only periods or spaces'] : []),
    ...(userCharacters.test(name)
      ? [`User cannot contain the following characters: "/\\:;|=,+*?<>@[]`]
      : []),
  ]
}
