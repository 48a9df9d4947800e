import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { labelErrors, subdomainErrors, wildcardErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { balancerErrors, notAddress } from '../balancerRules.ts'
import { named, oneOf, portName, portNumber } from '../../fieldChecks.ts'
import { addressWarnings } from '../../addressChecks.ts'
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressSpec,
  IngressStatus,
} from '../shapes/networkingV1.ts'
import { ingressSpec } from './ingressSpec.ts'
import { typedReferenceErrors } from './typedReference.ts'

const classAnnotation = 'kubernetes.io/ingress.class'

/** Errors for a new ingress that names different classes in the annotation and the field. */
export function newIngressErrors(object: ApiObject): FieldError[] {
  const { ingressClassName } = ingressSpec(object)
  const named = object.metadata.annotations?.[classAnnotation]
  const errors = ingressErrors(ingressSpec(object))
  if (named === undefined || ingressClassName === undefined || named === ingressClassName) {
    return errors
  }
  const detail = 'must match `ingressClassName` when both are specified'
  return [...errors, invalidField(`annotations.${classAnnotation}`, named, detail)]
}

/** Errors for an ingress. Source: Kubernetes API reference, IngressSpec v1; observed answers. */
export function ingressErrors(spec: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec
  const detail = 'either `defaultBackend` or `rules` must be specified'
  const isEmpty = rules.length === 0 && defaultBackend === undefined
  return [
    ...(isEmpty ? [invalidField('spec', spec.rules ?? null, detail)] : []),
    ...(defaultBackend === undefined ? [] : backendErrors('spec.defaultBackend', defaultBackend)),
    ...rules.flatMap((rule, index) => ruleErrors(`spec.rules[${index}]`, rule)),
    ...tls.flatMap((one, index) => tlsErrors(`spec.tls[${index}]`, one)),
    ...(ingressClassName === undefined
      ? []
      : subdomainErrors(ingressClassName).map((text) =>
          invalidField('spec.ingressClassName', ingressClassName, text),
        )),
  ]
}

function ruleErrors(path: string, { host = '', http }: NonNullable<IngressSpec['rules']>[number]) {
  const paths = http?.paths ?? []
  return [
    ...(host === ''
      ? []
      : [...notAddress(`${path}.host`, host), ...hostErrors(`${path}.host`, host)]),
    ...(http !== undefined && paths.length === 0 ? [requiredField(`${path}.http.paths`)] : []),
    ...paths.flatMap((one, index) => pathErrors(`${path}.http.paths[${index}]`, one)),
  ]
}

function hostErrors(path: string, host: string): FieldError[] {
  const texts = host.includes('*') ? wildcardErrors(host) : subdomainErrors(host)
  return texts.map((text) => invalidField(path, host, text))
}

function tlsErrors(path: string, one: NonNullable<IngressSpec['tls']>[number]): FieldError[] {
  const { hosts = [], secretName = '' } = one
  return [
    ...hosts.flatMap((host, index) => hostErrors(`${path}.hosts[${index}]`, host)),
    ...(secretName === ''
      ? []
      : subdomainErrors(secretName).map((text) =>
          invalidField(`${path}.secretName`, secretName, text),
        )),
  ]
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']
const refusedParts = ['//', '/./', '/../', '%2f', '%2F']
const refusedEnds = ['/..', '/.']

function pathErrors(
  at: string,
  { path = '', pathType, backend = {} }: HTTPIngressPath,
): FieldError[] {
  if (typeof pathType !== 'string') {
    return [requiredField(`${at}.pathType`, 'pathType must be specified')]
  }
  return [
    ...oneOf(`${at}.pathType`, pathType, pathTypes),
    ...routeErrors(`${at}.path`, path, pathType),
    ...backendErrors(`${at}.backend`, backend),
  ]
}

function routeErrors(at: string, path: string, pathType: string): FieldError[] {
  const isExact = pathType === 'Exact' || pathType === 'Prefix'
  const needsSlash = isExact || (pathType === 'ImplementationSpecific' && path !== '')
  const wrong = (detail: string) => invalidField(at, path, detail)
  const errors = needsSlash && !path.startsWith('/') ? [wrong('must be an absolute path')] : []
  if (!isExact) return errors
  return [
    ...errors,
    ...refusedParts
      .filter((part) => path.includes(part))
      .map((part) => wrong(`must not contain '${part}'`)),
    ...refusedEnds
      .filter((end) => path.endsWith(end))
      .map((end) => wrong(`cannot end with '${end}'`)),
  ]
}

function backendErrors(path: string, { service, resource }: IngressBackend): FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [invalidField(path, '', 'cannot set both resource and service backends')]
  }
  if (resource !== undefined) return typedReferenceErrors(`${path}.resource`, resource)
  if (service === undefined) {
    return [invalidField(path, '', 'resource or service backend is required')]
  }
  const { name = '', number = 0 } = service.port ?? {}
  return [
    ...named(`${path}.service.name`, service.name, serviceNameErrors),
    ...servicePortErrors(path, name, number),
  ]
}

/** Errors for a service name; dots are refused first. */
function serviceNameErrors(name: string): string[] {
  return labelErrors(name)
}

function servicePortErrors(path: string, name: string, number: number): FieldError[] {
  if (name !== '' && number !== 0) {
    return [invalidField(path, '', 'cannot set both port name & port number')]
  }
  if (name !== '') return portName(`${path}.service.port.name`, name)
  if (number !== 0) return portNumber(`${path}.service.port.number`, number)
  return [requiredField(path, 'port name or number is required')]
}

/** Errors for an ingress status. Source: observed answers. */
export function ingressStatusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const kept = balancersOf(old).flatMap(({ ip }) => ip ?? [])
  return balancersOf(object).flatMap((balancer, index) =>
    balancerErrors(`status.loadBalancer.ingress[${index}]`, balancer, kept),
  )
}

export function ingressStatusWarnings(object: ApiObject): string[] {
  return balancersOf(object).flatMap(({ ip = '' }, index) =>
    addressWarnings(`status.loadBalancer.ingress[${index}]`, ip),
  )
}

function balancersOf(object: ApiObject) {
  // Guaranteed by the schema.
  return ((object['status'] ?? {}) as IngressStatus).loadBalancer?.ingress ?? []
}

/** Warnings about a new ingress. Source: seen on kube-apiserver 1.37.2. */
export function newIngressWarnings(object: ApiObject): string[] {
  const isOld = object.metadata.annotations?.[classAnnotation] !== undefined
  if (!isOld || ingressSpec(object).ingressClassName !== undefined) return []
  return [
    `annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`,
  ]
}
