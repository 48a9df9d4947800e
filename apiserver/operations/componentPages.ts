import { parseAccept, type AcceptClause } from '../encoding/acceptHeader.ts'
import { encodeYaml } from '../encoding/yaml.ts'
import { kubernetesVersion } from '../discovery/kubernetesVersion.ts'
import type { Exchange } from '../endpoints/exchange.ts'
import { acceptOf } from '../endpoints/response/acceptOf.ts'
import { writeBody } from '../endpoints/response/response.ts'
import { notAcceptable } from '../meta/statusErrors.ts'

/** Content of the pages about the process. */
export interface ComponentState {
  /** Start of the process, milliseconds since the epoch. */
  startedMs: number
  nowMs: () => number
  /** The runtime and its version. */
  runtime: string
  /** Values of all flags, by name; secrets are redacted. Read when the page is requested. */
  flags: () => Readonly<Record<string, string>>
}

const paths = ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version']
const types = ['application/json', 'application/yaml', 'text/plain']
const group = 'config.k8s.io'
const deprecated = (page: string) =>
  `This version of the ${page} endpoint is deprecated. Please use a newer version.`
const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for ' +
  'debugging purposes only.'

/**
 * Serves `/statusz` and `/flagz`, as text or as an object of `config.k8s.io`, for any method. False: another path.
 * Source: Kubernetes documentation, "z-pages"; bodies seen on kube-apiserver 1.37.2.
 */
export async function serveComponentPage(
  exchange: Exchange,
  state: ComponentState,
): Promise<boolean> {
  const page = exchange.path.slice(1)
  if (page !== 'statusz' && page !== 'flagz') return false
  const form = formOf(acceptOf(exchange.request) ?? '', page === 'statusz' ? 'Statusz' : 'Flagz')
  const fields = page === 'statusz' ? statusFields(state) : { flags: sortedFlags(state) }
  if (form === 'text') {
    const lines = page === 'statusz' ? statusLines(state) : flagLines(sortedFlags(state))
    await write(exchange, `\napiserver ${page}\n${warning}\n${lines}`, 'text/plain; charset=utf-8')
    return true
  }
  if (form.version === 'v1alpha1') exchange.warnings.add(deprecated(page))
  const object = {
    kind: form.kind,
    apiVersion: `${group}/${form.version}`,
    metadata: { name: 'apiserver' },
    ...fields,
  }
  const isYaml = form.type === 'application/yaml'
  const text = isYaml ? encodeYaml(object) : JSON.stringify(object, undefined, 2)
  await write(exchange, text, `${form.type};g=${group};v=${form.version};as=${form.kind}`)
  return true
}

interface ObjectForm {
  type: string
  version: string
  kind: string
}

/** Representation requested by a client. @throws StatusError 406. */
function formOf(accept: string, kind: string): 'text' | ObjectForm {
  if (accept === '') return 'text'
  for (const clause of parseAccept(accept)) {
    const range = `${clause.type}/${clause.subtype}`
    if (textRanges.has(range)) return 'text'
    const version = clause.parameters.get('v') ?? ''
    if (objectTypes.has(range) && versions.has(version) && isOf(kind, clause))
      return { type: range, version, kind }
  }
  throw notAcceptable(types)
}

const textRanges = new Set(['text/plain', 'text/*', '*/*'])
const objectTypes = new Set(['application/json', 'application/yaml'])
const versions = new Set(['v1beta1', 'v1alpha1'])

function isOf(kind: string, { parameters }: AcceptClause): boolean {
  return parameters.get('g') === group && parameters.get('as') === kind
}

function statusFields({ startedMs, nowMs, runtime }: ComponentState) {
  return {
    startTime: new Date(startedMs).toISOString().replace(/\.\d+/, ''),
    uptimeSeconds: Math.floor((nowMs() - startedMs) / 1000),
    goVersion: runtime,
    binaryVersion: kubernetesVersion.slice(1),
    emulationVersion: kubernetesVersion.slice(1).replace(/\.\d+$/, ''),
    paths,
  }
}

function statusLines(state: ComponentState): string {
  const { uptimeSeconds, goVersion, binaryVersion, emulationVersion } = statusFields(state)
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  const hours = Math.floor(uptimeSeconds / 3600)
  return [
    '',
    `Started: ${unixDate(state.startedMs)}`,
    `Up: ${hours} hr ${two((uptimeSeconds / 60) % 60)} min ${two(uptimeSeconds % 60)} sec`,
    `Go version: ${goVersion}`,
    `Binary version: ${binaryVersion}`,
    `Emulation version: ${emulationVersion}`,
    `Paths: ${paths.join(' ')}`,
    '',
  ].join('\n')
}

/** Date in the format of the `date` command, in UTC: `Mon Nov 23 19:14:12 UTC 2026`. */
function unixDate(ms: number): string {
  const [week = '', day = '', month = '', year = '', time = ''] = new Date(ms)
    .toUTCString()
    .split(/,? /)
  return `${week} ${month} ${String(Number(day)).padStart(2)} ${time} UTC ${year}`
}

function sortedFlags({ flags }: ComponentState): Record<string, string> {
  return Object.fromEntries(Object.entries(flags()).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function flagLines(flags: Readonly<Record<string, string>>): string {
  return Object.entries(flags)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}

async function write(exchange: Exchange, text: string, mediaType: string): Promise<void> {
  await writeBody(exchange, Buffer.from(text), { code: 200, mediaType })
}
