import { invalidField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import { dns1035Errors, subdomainErrors } from '../../meta/nameValidation.ts'
import { named, oneOf, portName, portNumber } from '../fieldChecks.ts'
import type { Backend, IngressSpec } from './ingressSpec.ts'

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']

/** Source: Kubernetes API reference, IngressSpec v1; observed answers. */
export function ingressErrors(spec: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend } = spec
  if (rules.length === 0 && defaultBackend === undefined) {
    const detail = 'either `defaultBackend` or `rules` must be specified'
    return [invalidField('spec', spec, detail)]
  }
  return [
    ...(defaultBackend === undefined ? [] : backendErrors('spec.defaultBackend', defaultBackend)),
    ...rules.flatMap(({ host = '', http }, index) => {
      const path = `spec.rules[${index}]`
      return [
        ...hostErrors(`${path}.host`, host),
        ...(http?.paths ?? []).flatMap((one, at) => pathErrors(`${path}.http.paths[${at}]`, one)),
      ]
    }),
  ]
}

function hostErrors(path: string, host: string): FieldError[] {
  if (host === '') return []
  const name = host.startsWith('*.') ? host.slice(2) : host
  return subdomainErrors(name).map((text) => invalidField(path, host, text))
}

interface Route {
  path?: string
  pathType?: string
  backend?: Backend
}

function pathErrors(at: string, { path = '', pathType, backend = {} }: Route): FieldError[] {
  const errors =
    pathType === undefined
      ? [requiredField(`${at}.pathType`, 'pathType must be specified')]
      : oneOf(`${at}.pathType`, pathType, pathTypes)
  if (pathType !== 'ImplementationSpecific' && !path.startsWith('/')) {
    errors.push(invalidField(`${at}.path`, path, 'must be an absolute path'))
  }
  return [...errors, ...backendErrors(`${at}.backend`, backend)]
}

function backendErrors(path: string, { service, resource }: Backend): FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [invalidField(path, '', 'cannot set both resource and service backends')]
  }
  if (resource !== undefined) return []
  if (service === undefined) return [requiredField(path, 'resource or service backend is required')]
  const { name, number } = service.port ?? {}
  if (name !== undefined && number !== undefined) {
    return [invalidField(path, '', 'cannot set both port name & port number')]
  }
  if (name === undefined && number === undefined) {
    return [requiredField(path, 'port name or number is required')]
  }
  return [
    ...named(`${path}.service.name`, service.name, dns1035Errors),
    ...(name === undefined ? [] : portName(`${path}.service.port.name`, name)),
    ...portNumber(`${path}.service.port.number`, number),
  ]
}
