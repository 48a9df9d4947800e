import { messageOf } from '../../meta/messageOf.ts'
import { fixed } from '../cost/ranges.ts'
import { mapping, type Mapping } from '../values/mapping.ts'
import { Opaque } from '../values/scalars.ts'
import type { FunctionTable, Run } from './row.ts'

/** Authorization check requested by an expression. */
export interface AuthorizationQuestion {
  /** Service account to check; undefined: the user of the request. */
  serviceAccount?: { namespace: string; name: string }
  verb: string
  /** Path of a non-resource request. */
  path: string
  group: string
  resource: string
  subresource: string
  namespace: string
  name: string
}

/** Authorizes a check. @throws Error if there is no decision. */
export type Authorize = (question: AuthorizationQuestion) => { allowed: boolean; reason: string }

const nothing: AuthorizationQuestion = {
  ...{ verb: '', path: '', group: '', resource: '', subresource: '', namespace: '', name: '' },
}

const prefix = 'kubernetes.authorization'

class Decision extends Opaque {
  readonly typeName = `${prefix}.Decision`
  readonly allowed: boolean
  readonly reason: string
  readonly error: string

  constructor(authorize: Authorize, question: AuthorizationQuestion) {
    super()
    let decision = { allowed: false, reason: '' }
    let error = ''
    try {
      decision = authorize(question)
    } catch (thrown) {
      error = messageOf(thrown)
    }
    this.allowed = decision.allowed
    this.reason = decision.reason
    this.error = error
  }

  equals(other: Opaque): boolean {
    return this === other
  }
}

abstract class Check extends Opaque {
  readonly authorize: Authorize
  readonly question: AuthorizationQuestion

  constructor(authorize: Authorize, question: AuthorizationQuestion) {
    super()
    this.authorize = authorize
    this.question = question
  }

  decide(verb: string): Decision {
    return new Decision(this.authorize, { ...this.question, verb })
  }

  equals(other: Opaque): boolean {
    return this === other
  }
}

class PathCheck extends Check {
  readonly typeName = `${prefix}.PathCheck`
}

class GroupCheck extends Check {
  readonly typeName = `${prefix}.GroupCheck`
}

class ResourceCheck extends Check {
  readonly typeName = `${prefix}.ResourceCheck`

  with(part: Partial<AuthorizationQuestion>): ResourceCheck {
    return new ResourceCheck(this.authorize, { ...this.question, ...part })
  }
}

/** Value of `authorizer`: the rights of the requesting user. */
export class Authorizer extends Check implements Mapping {
  readonly typeName = `${prefix}.Authorizer`
  readonly [mapping] = true
  readonly requestResource: ResourceCheck

  constructor(
    authorize: Authorize,
    requested: Partial<AuthorizationQuestion>,
    serviceAccount?: { namespace: string; name: string },
  ) {
    const subject = serviceAccount === undefined ? nothing : { ...nothing, serviceAccount }
    super(authorize, subject)
    this.requestResource = new ResourceCheck(authorize, { ...subject, ...requested })
  }

  find(key: unknown): unknown {
    return key === 'requestResource' ? this.requestResource : undefined
  }

  keys(): Iterable<string> {
    return ['requestResource']
  }
}

const [authorizer, path, group, resource, decision] = [
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'],
].map((name) => `${prefix}.${name}`)

/** Cost of an authorizer check, so that a few checks exhaust the budget of an expression. */
const perQuestion = 350_000

function form(signature: string, run: Run): FunctionTable[string] {
  return { forms: { [signature]: run } }
}

function narrowing(part: (value: string) => Partial<AuthorizationQuestion>): FunctionTable[string] {
  return form(`.${resource},string ${resource}`, (of: ResourceCheck, value: string) =>
    of.with(part(value)),
  )
}

/** Functions of the authorizer. Source: Kubernetes documentation, "CEL in Kubernetes", authorizer library. */
export const authorizerFunctions: FunctionTable = {
  path: form(
    `.${authorizer},string ${path}`,
    ({ authorize, question }: Authorizer, to: string) =>
      new PathCheck(authorize, { ...question, path: to }),
  ),
  group: form(
    `.${authorizer},string ${group}`,
    ({ authorize, question }: Authorizer, to: string) =>
      new GroupCheck(authorize, { ...question, group: to }),
  ),
  serviceAccount: form(
    `.${authorizer},string,string ${authorizer}`,
    ({ authorize, requestResource }: Authorizer, namespace: string, name: string) =>
      new Authorizer(authorize, requestResource.question, { namespace, name }),
  ),
  resource: form(
    `.${group},string ${resource}`,
    ({ authorize, question }: GroupCheck, to: string) =>
      new ResourceCheck(authorize, { ...question, resource: to }),
  ),
  subresource: narrowing((subresource) => ({ subresource })),
  namespace: narrowing((namespace) => ({ namespace })),
  name: narrowing((name) => ({ name })),
  // Rights do not depend on selectors here: a request that is allowed without a selector is also
  // allowed with one.
  fieldSelector: narrowing(() => ({})),
  labelSelector: narrowing(() => ({})),
  check: {
    forms: {
      [`.${path},string ${decision}`]: (of: PathCheck, verb: string) => of.decide(verb),
      [`.${resource},string ${decision}`]: (of: ResourceCheck, verb: string) => of.decide(verb),
    },
    cost: () => perQuestion,
    estimate: () => ({ cost: fixed(perQuestion) }),
  },
  allowed: form(`.${decision} bool`, (of: Decision) => of.allowed),
  reason: form(`.${decision} string`, (of: Decision) => of.reason),
  errored: form(`.${decision} bool`, (of: Decision) => of.error !== ''),
  error: form(`.${decision} string`, (of: Decision) => of.error),
}
