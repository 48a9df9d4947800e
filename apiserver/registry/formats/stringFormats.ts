import { isDuration } from './durationFormat.ts'
import { isEmail } from './emailFormat.ts'
import { isCidr, isIPv4, isIPv6, isMac } from './ipFormats.ts'
import { isRequestUri } from './uriFormat.ts'

type StringFormat = (text: string) => boolean

const fits =
  (pattern: RegExp): StringFormat =>
  (text) =>
    pattern.test(text)

const colorByte = '[\\t\\n\\f\\r ]*(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*'

/**
 * Formats that are validated in strings of custom resources, by name without dashes; others are only informative.
 * Patterns take linear time. Source: apiextensions, supported formats.
 */
export const stringFormats: Readonly<Record<string, StringFormat>> = {
  bsonobjectid: fits(/^[0-9a-f]{24}$/i),
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: isMac,
  uuid: fits(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i),
  uuid3: fits(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: fits(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: fits(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: fits(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  hexcolor: fits(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: fits(new RegExp(`^rgb\\(${colorByte},${colorByte},${colorByte}\\)$`)),
  byte: (text) =>
    text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*$/.test(text.replace(/={1,2}$/, '')),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && fits(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/)(text),
  k8slongname: (text) =>
    text.length <= 253 && text.split('.').every(fits(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/)),
}

const single = /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]{0,62}$/u
const label = /^[a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u
const topLevel = /^[a-zA-Z\p{L}]{2,63}$/u

/** Reports whether a string is a host name; a single label may only have a dash after its first character. */
function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false
  const labels = text.split('.')
  if (labels.some((one) => Buffer.byteLength(one) > 63)) return false
  const last = labels.pop() ?? ''
  if (labels.length === 0) return single.test(last)
  return topLevel.test(last) && labels.every((one) => label.test(one))
}

function withoutSpace(text: string): string {
  return text.replaceAll(/[\t\n\f\r -]/g, '')
}

function isIsbn10(text: string): boolean {
  const digits = withoutSpace(text)
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  const valueOf = (digit: string) => (digit === 'X' ? 10 : Number(digit))
  return [...digits].reduce((sum, digit, at) => sum + (at + 1) * valueOf(digit), 0) % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = withoutSpace(text)
  if (!/^\d{13}$/.test(digits)) return false
  return (
    [...digits].reduce((sum, digit, at) => sum + (1 + 2 * (at % 2)) * Number(digit), 0) % 10 === 0
  )
}

const cards = [
  ...['4\\d{12}(?:\\d{3})?', '5[1-5]\\d{14}', '6(?:011|5\\d\\d)\\d{12}', '3[47]\\d{13}'],
  ...['3(?:0[0-5]|[68]\\d)\\d{11}', '(?:2131|1800|35\\d{3})\\d{11}'],
]

const card = new RegExp(`^(?:${cards.join('|')})$`)

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]/g, '')
  if (!card.test(digits)) return false
  const worth = (digit: string, fromEnd: number) => {
    const value = Number(digit) * (1 + (fromEnd % 2))
    return value > 9 ? value - 9 : value
  }
  const sum = [...digits].reverse().reduce((all, digit, fromEnd) => all + worth(digit, fromEnd), 0)
  return sum % 10 === 0
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined) return false
  // In a leap cycle of years that the calendar supports with four digits.
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
}

const time = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u

/** Fast path for nearly all date-times. */
const plainTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/

/** Reports whether a string is a date-time; anything after a second `T` is ignored. */
function isDateTime(text: string): boolean {
  if (plainTime.test(text)) return true
  const [date = '', rest = ''] = text.toLowerCase().split('t', 2)
  return isDate(date) && time.test(rest)
}
