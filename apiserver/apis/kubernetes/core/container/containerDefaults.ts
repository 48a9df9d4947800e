import { fill } from '../../../fill.ts'
import type { Container, Probe } from '../../shapes/coreV1.ts'
import { pullPolicyOf } from './imagePullPolicy.ts'

/** Sets the defaults of a container. Source: Kubernetes API reference, Container v1; observed answers. */
export function setContainerDefaults(container: Container): void {
  fill(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(container.image ?? ''),
  })
  for (const port of container.ports ?? []) fill(port, { protocol: 'TCP' })
  for (const { valueFrom: { fieldRef } = {} } of container.env ?? []) {
    if (fieldRef !== undefined) fill(fieldRef, { apiVersion: 'v1' })
  }
  setHookDefaults(container)
}

function setHookDefaults(container: Container): void {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container
  for (const probe of [livenessProbe, readinessProbe, startupProbe]) {
    if (probe !== undefined) setProbeDefaults(probe)
  }
  for (const handler of [lifecycle?.postStart, lifecycle?.preStop]) {
    if (handler !== undefined) setHandlerDefaults(handler)
  }
}

function setProbeDefaults(probe: Probe): void {
  setHandlerDefaults(probe)
  for (const [name, value] of Object.entries(probeDefaults)) {
    // Zero also means "unset" here.
    if ((Reflect.get(probe, name) ?? 0) === 0) Reflect.set(probe, name, value)
  }
}

const probeDefaults = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
}

function setHandlerDefaults({ httpGet, grpc }: Probe): void {
  if (httpGet !== undefined) fill(httpGet, { path: '/', scheme: 'HTTP' })
  if (grpc !== undefined) grpc.service ??= ''
}
