import { goQuote } from '../../../../meta/goQuote.ts'
import { repeats } from '../../../../meta/repeats.ts'
import { isWhole } from '../quantities.ts'
import type { Container, PodSpec } from '../pod/podTypes.ts'

/** What the containers of a pod are told; init containers come after its own. */
export function containerWarnings(path: string, spec: PodSpec): string[] {
  const lists = ['initContainers', 'containers'] as const
  return [
    ...lists.flatMap((list) =>
      (spec[list] ?? []).flatMap((container, index) =>
        oneWarnings(`${path}.${list}[${index}]`, container),
      ),
    ),
    ...portWarnings(`${path}.containers`, spec.containers ?? []),
  ]
}

function oneWarnings(path: string, { resources = {}, env = [] }: Container): string[] {
  const amounts = (['limits', 'requests'] as const).flatMap((kind) =>
    fractionWarnings(`${path}.resources.${kind}`, resources[kind]),
  )
  const isRepeat = repeats(env.map(({ name = '' }) => name))
  return [
    ...amounts,
    ...env.flatMap(({ name = '' }, index) => {
      const why = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`
      return isRepeat[index] === true ? [`${path}.env[${index}]: ${why}`] : []
    }),
  ]
}

const inBytes = ['memory', 'storage', 'ephemeral-storage']

/** Of amounts of bytes that are no whole number. */
export function fractionWarnings(
  path: string,
  amounts: Readonly<Record<string, string>> = {},
): string[] {
  return Object.entries(amounts)
    .filter(([name, amount]) => inBytes.includes(name) && !isWhole(amount))
    .map(([name, amount]) => {
      return `${path}[${name}]: fractional byte value ${goQuote(amount)} is invalid, must be an integer`
    })
}

interface PlacedPort {
  at: string
  key: string
  name: string
}

/** All containers of a pod share its ports. */
function portWarnings(path: string, containers: readonly Container[]): string[] {
  const ports = containers.flatMap(({ ports: own = [] }, container) =>
    own.map(({ containerPort, protocol = '', name = '' }, index): PlacedPort => {
      const at = `${path}[${container}].ports[${index}]`
      return { at, key: `${containerPort ?? 0}/${protocol}`, name }
    }),
  )
  return [...repeatedPorts(ports), ...repeatedNames(ports)]
}

/** Of many that are the same, each is told of the first few. */
const told = 10

function repeatedPorts(ports: readonly PlacedPort[]): string[] {
  const places = new Map<string, string[]>()
  return ports.flatMap(({ at, key }) => {
    const before = places.get(key) ?? []
    const texts = before.map((other) => `${at}: duplicate port definition with ${other}`)
    if (before.length < told) places.set(key, [...before, at])
    return texts
  })
}

function repeatedNames(ports: readonly PlacedPort[]): string[] {
  const firsts = new Map<string, string>()
  return ports.flatMap(({ at, name }) => {
    if (name === '') return []
    const first = firsts.get(name)
    if (first === undefined) {
      firsts.set(name, at)
      return []
    }
    const use = `services and probes that select ports by name will use ${first}`
    return [`${at}: duplicate port name ${goQuote(name)} with ${first}, ${use}`]
  })
}
