import { isIP } from 'node:net'
import { admissionPluginNames, refusedPluginsText } from '../../runtime/options/admissionPlugins.ts'
import { clusterControllers, isControllerWord } from '../../runtime/options/clusterControllers.ts'

/** Type of setting values, which are parsed from strings. */
export interface ValueKind<T> {
  /** Placeholder of the value in the help, such as `PORT`. */
  placeholder: string
  /** End of the sentence "… must be". */
  mustBe: string
  /** True for a boolean, whose flag needs no value. */
  isSwitch?: true
  /** The parsed value; undefined: the string is invalid. */
  parse(text: string): T | undefined
  /** Valid values in code, if they differ from the parsed values. */
  inCode?: CodeValues
}

/** Valid values in code. */
export interface CodeValues {
  /** End of the sentence "… must be". */
  mustBe: string
  holds(value: unknown): boolean
}

/** Valid values in code for a kind: by default its parsed values. */
export function codeValues<T>(kind: ValueKind<T>): CodeValues {
  const holds = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) && kind.parse(String(value)) === value
  return kind.inCode ?? { mustBe: kind.mustBe, holds }
}

export const filePath: ValueKind<string> = {
  placeholder: 'FILE',
  mustBe: 'the path of a file',
  parse: (text) => (text.includes('\0') ? undefined : text),
}

export const folderPath: ValueKind<string> = {
  ...filePath,
  placeholder: 'DIR',
  mustBe: 'the path of a folder',
}

export const address: ValueKind<string> = {
  placeholder: 'ADDR',
  mustBe: 'an IP address or localhost',
  parse: (text) => (isIP(text) > 0 || text === 'localhost' ? text : undefined),
}

export const port: ValueKind<number> = {
  placeholder: 'PORT',
  mustBe: 'a port number from 0 to 65535',
  parse: (text) => wholeNumber(text, 65535),
}

export const httpAddress: ValueKind<string> = {
  placeholder: 'URL',
  mustBe: 'an http:// or https:// URL',
  parse: (text) => (/^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text) ? text : undefined),
}

export const perMillion: ValueKind<number> = {
  placeholder: 'N',
  mustBe: 'a whole number from 0 to 1000000',
  parse: (text) => wholeNumber(text, 1_000_000),
}

export const seconds: ValueKind<number> = {
  placeholder: 'SECONDS',
  mustBe: 'a whole number of seconds, at most 31536000',
  parse: (text) => wholeNumber(text, 31_536_000),
}

/** Durations in milliseconds, written in Go's notation: `10s`, `1m30s`, `500ms`, `0`. */
export const duration: ValueKind<number> = {
  placeholder: 'DURATION',
  mustBe: 'a duration such as 10s, 1m30s or 0',
  parse: (text) => {
    if (text === '0') return 0
    if (!/^(\d{1,9}(\.\d{1,9})?(ms|s|m|h))+$/.test(text)) return undefined
    const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)]
    return parts.reduce((sum, [, number, unit]) => sum + Number(number) * unitMs(unit), 0)
  },
  inCode: {
    mustBe: 'a number of milliseconds, 0 or more',
    holds: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  },
}

/** Durations in milliseconds of at least one second. */
export const interval: ValueKind<number> = {
  ...duration,
  mustBe: 'a duration of at least a second, such as 30m or 24h',
  parse: (text) => {
    const ms = duration.parse(text)
    return ms !== undefined && ms >= 1_000 ? ms : undefined
  },
  inCode: {
    mustBe: 'a number of milliseconds, 1000 or more',
    holds: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 1_000,
  },
}

function unitMs(unit: string | undefined): number {
  if (unit === 'ms') return 1
  if (unit === 's') return 1_000
  return unit === 'm' ? 60_000 : 3_600_000
}

export const onOrOff: ValueKind<boolean> = {
  placeholder: 'true|false',
  mustBe: 'true or false',
  isSwitch: true,
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

/** Comma-separated, non-empty words. */
export const words = list('NAME[,NAME]', 'words', (text) => text !== '')

/** Comma-separated names of HTTP headers. Source: RFC 9110 section 5.6.2. */
export const headerNames = list('HEADER[,HEADER]', 'names of HTTP headers', (text) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(text),
)

/** Comma-separated DNS names and IP addresses. */
export const hosts = list(
  'HOST[,HOST]',
  'DNS names and IP addresses',
  (text) => isIP(text) > 0 || hostName.test(text),
)

const hostName =
  /^(\*\.)?[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$/

export const count: ValueKind<number> = {
  placeholder: 'N',
  mustBe: 'a whole number, at most 1000000000',
  parse: (text) => wholeNumber(text, 1_000_000_000),
}

export const countFromOne: ValueKind<number> = {
  placeholder: 'N',
  mustBe: 'a whole number from 1 to 1000000000',
  parse: (text) => wholeNumber(text, 1_000_000_000) || undefined,
}

/** Access key with the characters of a bearer token. Source: RFC 6750 section 2.1. */
export const accessKey: ValueKind<string> = {
  placeholder: 'KEY',
  mustBe: 'made of letters, digits and -._~+/ only, with = at the end only',
  parse: (text) => matching(text, /^[A-Za-z0-9._~+/-]+=*$/),
}

/** A password, or the stored form of one. */
export const secretText: ValueKind<string> = {
  placeholder: 'PASSWORD',
  mustBe: 'one line of 1 to 1024 characters',
  parse: (text) => matching(text, /^[^\r\n]{1,1024}$/),
}

export const lowerCaseWord: ValueKind<string> = {
  placeholder: 'NAME',
  mustBe: 'a lower case letter followed by at most 39 lower case letters and digits',
  parse: (text) => matching(text, /^[a-z][a-z0-9]{0,39}$/),
}

/** A word that is valid within a field name. */
export const identifier: ValueKind<string> = {
  placeholder: 'NAME',
  mustBe: 'a letter followed by at most 39 letters and digits',
  parse: (text) => matching(text, /^[A-Za-z][A-Za-z0-9]{0,39}$/),
}

/**
 * A domain for which `management.<domain>` is a valid DNS subdomain and `<domain>/<name>` a valid
 * label key; both have at most 253 characters.
 */
export const dnsSubdomain: ValueKind<string> = {
  placeholder: 'DOMAIN',
  mustBe: 'a lower case DNS subdomain of at most 242 characters',
  parse: (text) =>
    text.length > 242
      ? undefined
      : matching(
          text,
          /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/,
        ),
}

const takenSegments = [
  'api',
  'apis',
  'auth',
  'backup',
  'console',
  'healthz',
  'livez',
  'metrics',
  'openapi',
  'readyz',
  'version',
]

export const pathSegment: ValueKind<string> = {
  placeholder: 'SEGMENT',
  mustBe: `one path segment of lower case letters, digits and -, and none of ${takenSegments.join(', ')}`,
  parse: (text) =>
    takenSegments.includes(text)
      ? undefined
      : matching(text, /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/),
}

export const roleName: ValueKind<string> = {
  placeholder: 'ROLE',
  mustBe: 'made of at most 63 letters, digits and -_.: and start with a letter or digit',
  parse: (text) => matching(text, /^[A-Za-z0-9][-A-Za-z0-9_.:]{0,62}$/),
}

export const admissionPlugins = list(
  'PLUGIN[,PLUGIN]',
  `names of admission plugins: ${admissionPluginNames.join(', ')} (${refusedPluginsText})`,
  (text) => admissionPluginNames.includes(text),
)

export const controllerNames = list(
  'NAME[,NAME]',
  `*, or names of controllers, optionally after a minus sign: ${[...clusterControllers].join(', ')}`,
  isControllerWord,
  { allowsNone: true },
)

/** Comma-separated regular expressions. */
export const patterns = list(
  'REGEX[,REGEX]',
  'regular expressions',
  (text) => text !== '' && isPattern(text),
)

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

/** Comma-separated IP addresses, and networks with a prefix length. */
export const networks = list(
  'NETWORK[,NETWORK]',
  'IP addresses or networks such as 10.0.0.0/8',
  isNetwork,
)

function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  const longest = version === 4 ? 32 : 128
  return prefix === undefined || wholeNumber(prefix, longest) !== undefined
}

/** Comma-separated members of an etcd cluster. */
export const endpoints = list('URL[,URL]', 'URLs such as http://10.0.0.1:2379', (text) =>
  /^https?:\/\/[^/\s?#@]+:\d{1,5}$/.test(text),
)

export const keyPrefix: ValueKind<string> = {
  placeholder: 'PREFIX',
  mustBe: 'a slash followed by names with slashes between them',
  parse: (text) => matching(text, /^(\/[\w.-]+)+$/),
}

/** A choice among the given words. */
export function choice<T extends string>(words: readonly T[]): ValueKind<T> {
  return {
    placeholder: words.join('|'),
    mustBe: `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word === text),
  }
}

/** Comma-separated strings; in code, an array of strings. */
function list(
  placeholder: string,
  what: string,
  isOne: (text: string) => boolean,
  { allowsNone = false } = {},
): ValueKind<readonly string[]> {
  return {
    placeholder,
    mustBe: `${what} separated by commas`,
    parse: (text) => {
      const parts = text.split(',').map((part) => part.trim())
      if (allowsNone && parts.join('') === '') return []
      return parts.every(isOne) ? parts : undefined
    },
    inCode: {
      mustBe: `an array of ${what}`,
      holds: (value) =>
        Array.isArray(value) && value.every((one) => typeof one === 'string' && isOne(one)),
    },
  }
}

function matching(text: string, pattern: RegExp): string | undefined {
  return pattern.test(text) ? text : undefined
}

function wholeNumber(text: string, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  return value !== undefined && value <= max ? value : undefined
}
