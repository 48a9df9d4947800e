import {
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { jsonText } from '../../../meta/json/exactJson.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { errorIf, named } from '../../fieldChecks.ts'
import type {
  DeviceAllocationConfiguration,
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
} from '../shapes/resourceV1.ts'
import { deviceExpressionErrors } from './deviceExpressions.ts'
import {
  deviceNameErrors,
  fullAttributeNameErrors,
  listErrors,
  parameterDriverErrors,
  tolerationErrors,
} from './deviceNames.ts'
import type { DeviceRequestPart } from './resourceShapes.ts'

const mostRequests = 32
const mostConstraints = 32
const mostConfigurations = 32
const mostSelectors = 32
const mostAlternatives = 8
const mostTolerations = 16
const maxParameterBytes = 10 * 1024

/** Sets the defaults of decoding: one device for each request. */
export function setRequestDefaults({ requests }: DeviceClaim = {}): void {
  for (const { exactly, firstAvailable = [] } of requests ?? []) {
    const parts = exactly === undefined ? firstAvailable : [exactly, ...firstAvailable]
    parts.forEach(setPartDefaults)
  }
}

function setPartDefaults(part: DeviceRequestPart): void {
  if ((part.allocationMode ?? '') === '') part.allocationMode = 'ExactCount'
  if (part.allocationMode === 'ExactCount' && (part.count ?? 0) === 0) part.count = 1
  for (const toleration of part.tolerations ?? []) {
    if ((toleration.operator ?? '') === '') toleration.operator = 'Equal'
  }
}

/** Names of a claim's requests, and of the alternatives of each request. */
export class RequestNames {
  readonly #names: ReadonlyMap<string, ReadonlySet<string>>

  constructor({ requests }: DeviceClaim = {}) {
    this.#names = new Map(
      (requests ?? []).map(({ name = '', firstAvailable = [] }) => [
        name,
        new Set(firstAvailable.map((one) => one.name ?? '')),
      ]),
    )
  }

  has(reference: string): boolean {
    const [name = '', alternative, ...more] = reference.split('/')
    const alternatives = this.#names.get(name)
    if (alternatives === undefined || more.length > 0) return false
    return alternative === undefined || alternatives.has(alternative)
  }
}

/** Validates the devices requested by a claim. Source: Kubernetes API reference, DeviceClaim v1. */
export function claimErrors(path: string, claim: DeviceClaim = {}): FieldError[] {
  const names = new RequestNames(claim)
  const requests = claim.requests ?? []
  return [
    ...(requests.length > mostRequests
      ? []
      : requests.flatMap((one, at) => requestErrors(`${path}.requests[${at}]`, one))),
    ...listErrors(`${path}.constraints`, claim.constraints ?? [], {
      max: mostConstraints,
      each: (at, one) => constraintErrors(at, one, names),
    }),
    ...listErrors(`${path}.config`, claim.config ?? [], {
      max: mostConfigurations,
      each: (at, one) => [
        ...referencesErrors(`${at}.requests`, one.requests, names),
        ...configurationErrors(at, one),
      ],
    }),
    // Reported last, as in the real server.
    ...listErrors(`${path}.requests`, requests, {
      max: mostRequests,
      each: alternativesErrors,
      keyOf: ({ name = '' }) => name,
      isShown: true,
    }),
  ]
}

/** Errors for too many alternatives, or of duplicate names. */
function alternativesErrors(path: string, { firstAvailable = [] }: DeviceRequest): FieldError[] {
  return listErrors(`${path}.firstAvailable`, firstAvailable, {
    max: mostAlternatives,
    each: () => [],
    keyOf: ({ name = '' }) => name,
    isShown: true,
  })
}

const oneKind = 'exactly one of `exactly` or `firstAvailable` is required'

function requestErrors(path: string, request: DeviceRequest): FieldError[] {
  const { name = '', exactly, firstAvailable = [] } = request
  const errors = deviceNameErrors(`${path}.name`, name)
  if (exactly === undefined && firstAvailable.length === 0) {
    return [...errors, requiredField(path, oneKind)]
  }
  if (exactly === undefined) {
    if (firstAvailable.length > mostAlternatives) return errors
    const alternatives = firstAvailable.flatMap((one, at) => [
      ...deviceNameErrors(`${path}.firstAvailable[${at}].name`, one.name ?? ''),
      ...partErrors(`${path}.firstAvailable[${at}]`, one),
    ])
    return [...errors, ...alternatives]
  }
  if (firstAvailable.length > 0) {
    return [...errors, invalidField(path, null, `${oneKind}, but multiple fields are set`)]
  }
  return [...errors, ...partErrors(`${path}.exactly`, exactly)]
}

function partErrors(path: string, part: DeviceRequestPart): FieldError[] {
  return [
    ...named(`${path}.deviceClassName`, part.deviceClassName, subdomainErrors),
    ...selectorsErrors(`${path}.selectors`, part.selectors),
    ...modeErrors(path, part),
    ...listErrors(`${path}.tolerations`, part.tolerations ?? [], {
      max: mostTolerations,
      each: tolerationErrors,
    }),
  ]
}

function modeErrors(path: string, { allocationMode = '', count = 0 }: DeviceRequestPart) {
  if (allocationMode === 'All') {
    const detail = "must not be specified when allocationMode is 'All'"
    return errorIf(count !== 0, () => invalidField(`${path}.count`, count, detail))
  }
  if (allocationMode === 'ExactCount') {
    return errorIf(count <= 0, () =>
      invalidField(`${path}.count`, count, 'must be greater than zero'),
    )
  }
  return [notSupportedField(`${path}.allocationMode`, allocationMode, ['All', 'ExactCount'])]
}

export function selectorsErrors(
  path: string,
  selectors: readonly DeviceSelector[] = [],
): FieldError[] {
  return listErrors(path, selectors, {
    max: mostSelectors,
    each: (at, { cel }) =>
      cel === undefined
        ? [requiredField(`${at}.cel`)]
        : deviceExpressionErrors(`${at}.cel.expression`, cel.expression ?? ''),
  })
}

const eitherAttribute =
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'

function constraintErrors(
  path: string,
  { requests, matchAttribute, distinctAttribute }: DeviceConstraint,
  names: RequestNames,
): FieldError[] {
  const errors = referencesErrors(`${path}.requests`, requests, names)
  if (matchAttribute !== undefined) {
    return [...errors, ...fullAttributeNameErrors(`${path}.matchAttribute`, matchAttribute)]
  }
  if (distinctAttribute !== undefined) {
    return [...errors, ...fullAttributeNameErrors(`${path}.distinctAttribute`, distinctAttribute)]
  }
  return [...errors, requiredField(path, eitherAttribute)]
}

const referenceText =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

export function referencesErrors(
  path: string,
  references: readonly string[] = [],
  names: RequestNames,
): FieldError[] {
  return listErrors(path, references, {
    max: mostRequests,
    each: (at, one) => referenceErrors(at, one, names),
    keyOf: (one) => one,
  })
}

/** Errors for a reference to a request of the claim. */
export function referenceErrors(path: string, name: string, names: RequestNames): FieldError[] {
  const segments = name.split('/')
  if (segments.length > 2) return [invalidField(path, name, referenceText)]
  return [
    ...segments.flatMap((segment) => deviceNameErrors(path, segment)),
    ...errorIf(!names.has(name), () => invalidField(path, name, referenceText)),
  ]
}

/** Errors for parameters that only their driver understands. */
export function configurationErrors(
  path: string,
  { opaque }: DeviceAllocationConfiguration,
): FieldError[] {
  if (opaque === undefined) return [requiredField(`${path}.opaque`)]
  return [
    ...parameterDriverErrors(`${path}.opaque.driver`, opaque.driver ?? ''),
    ...parameterErrors(`${path}.opaque.parameters`, opaque.parameters),
  ]
}

export function parameterErrors(path: string, value: unknown): FieldError[] {
  if (value === undefined || value === null) return [requiredField(path)]
  if (Buffer.byteLength(jsonText(value)) > maxParameterBytes) {
    return [tooLongField(path, maxParameterBytes)]
  }
  return errorIf(!isObject(value), () =>
    invalidField(path, '<value omitted>', 'must be a valid JSON object'),
  )
}
