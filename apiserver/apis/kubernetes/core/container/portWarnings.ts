import { goQuote } from '../../../../meta/goQuote.ts'
import type { ContainerPort } from '../../shapes/coreV1.ts'
import type { PlacedContainer } from '../pod/containerPaths.ts'

interface PlacedPort {
  at: string
  port: ContainerPort
}

/** Warnings about ports, which all containers of a pod share. Source: seen on kube-apiserver 1.37.2. */
export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(({ at, container: { ports: own = [] } }) =>
    own.map((port, index) => ({ at: `${at}.ports[${index}]`, port })),
  )
  return [...repeatedPorts(ports), ...repeatedNames(ports)]
}

/** Maximum number of earlier ports with the same number that each port is compared with. */
const maxCompared = 10

function repeatedPorts(ports: readonly PlacedPort[]): string[] {
  const places = new Map<string, PlacedPort[]>()
  return ports.flatMap((placed) => {
    const { containerPort = 0, protocol = '', hostIP = '', hostPort = 0 } = placed.port
    const key = `${containerPort}/${protocol}`
    const before = places.get(key) ?? []
    if (before.length < maxCompared) places.set(key, [...before, placed])
    const isLost = hostIP !== '' && hostPort === 0
    return [
      ...(isLost ? [`${placed.at}: hostIP set without hostPort: ${shown(placed.port)}`] : []),
      ...before.flatMap((other) => {
        const relation = relationOf(placed.port, other.port)
        return relation === '' ? [] : [`${placed.at}: ${relation} port definition with ${other.at}`]
      }),
    ]
  })
}

/** Conflict between two ports with the same number and protocol; empty: none. */
function relationOf(one: ContainerPort, other: ContainerPort): string {
  const [{ hostIP: ownIP = '', hostPort: own = 0 }, { hostIP = '', hostPort = 0 }] = [one, other]
  if (ownIP === hostIP && own === hostPort) return 'duplicate'
  if (own === 0 || hostPort === 0) return 'overlapping'
  const isHalfOpen = (ownIP === '') !== (hostIP === '')
  return own === hostPort && isHalfOpen ? 'dangerously ambiguous' : ''
}

/** Struct in Go's format. */
function shown({ name = '', hostPort = 0, containerPort = 0, ...rest }: ContainerPort): string {
  const { protocol = '', hostIP = '' } = rest
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

function repeatedNames(ports: readonly PlacedPort[]): string[] {
  const firsts = new Map<string, string>()
  return ports.flatMap(({ at, port: { name = '' } }) => {
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
