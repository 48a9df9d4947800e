import { goQuote } from '../../meta/goQuote.ts'

/** Reason why a string is not an IP address, in the wording of Go's `netip.ParseAddr`; undefined: it may be one. */
export function addressProblem(text: string): string | undefined {
  const why = problemOf(text)
  return why === undefined ? undefined : `ParseAddr(${goQuote(text)}): ${why}`
}

/** Problem of an address. The first separator determines its kind. */
function problemOf(text: string): string | undefined {
  const [mark] = /[.:%]/.exec(text) ?? []
  if (mark === '.') return dottedProblem(text)
  if (mark === ':') return colonedProblem(text)
  return mark === '%' ? 'missing IPv6 address' : 'unable to parse IP'
}

function dottedProblem(text: string): string | undefined {
  const fields = text.split('.')
  for (const [at, field] of fields.entries()) {
    const rest = fields.slice(at).join('.')
    const odd = /[^0-9]/.exec(field)
    if (odd !== null) return `unexpected character (at ${goQuote(rest.slice(odd.index))})`
    if (field === '')
      return `IPv4 field must have at least one digit${at > 0 ? place(rest) : place(text)}`
    if (/^0\d/.test(field)) return 'IPv4 field has octet with leading zero'
    if (Number(field) > 255) return 'IPv4 field has value >255'
    if (at === 4) return 'IPv4 address too long'
  }
  return fields.length < 4 ? 'IPv4 address too short' : undefined
}

function place(rest: string): string {
  return rest === '' ? '' : ` (at ${goQuote(rest)})`
}

function colonedProblem(text: string): string | undefined {
  const plain = text.split('%')[0] ?? ''
  const groups = plain.split(':')
  for (const [at, group] of groups.entries()) {
    const odd = /[^0-9a-fA-F.]/.exec(group)
    if (odd !== null) {
      const rest = groups.slice(at).join(':')
      return odd.index === 0
        ? `each colon-separated field must have at least one digit (at ${goQuote(rest)})`
        : `unexpected character, want colon (at ${goQuote(rest.slice(odd.index))})`
    }
    if (group.length > 4 && !group.includes('.')) {
      const rest = groups.slice(at).join(':')
      return `each group must have 4 or fewer digits (at ${goQuote(rest)})`
    }
  }
  return !plain.includes('::') && groups.length < 8 ? 'address string too short' : undefined
}
