import type { Environment } from '@marcbachmann/cel-js'
import { registerHandlers } from './handlers.ts'

/** What an expression asks the authorizer. */
export interface AuthorizationQuestion {
  /** Undefined: the user of the request. */
  serviceAccount?: { namespace: string; name: string }
  verb: string
  /** Of requests for no resource. */
  path: string
  group: string
  resource: string
  subresource: string
  namespace: string
  name: string
}

/** @throws Error if there is no answer. */
export type Authorize = (question: AuthorizationQuestion) => { allowed: boolean; reason: string }

const nothing: AuthorizationQuestion = {
  ...{ verb: '', path: '', group: '', resource: '', subresource: '', namespace: '', name: '' },
}

class Decision {
  readonly allowed: boolean
  readonly reason: string
  readonly error: string

  constructor(authorize: Authorize, question: AuthorizationQuestion) {
    let decision = { allowed: false, reason: '' }
    let error = ''
    try {
      decision = authorize(question)
    } catch (thrown) {
      error = thrown instanceof Error ? thrown.message : String(thrown)
    }
    this.allowed = decision.allowed
    this.reason = decision.reason
    this.error = error
  }
}

class Check {
  readonly authorize: Authorize
  readonly question: AuthorizationQuestion

  constructor(authorize: Authorize, question: AuthorizationQuestion) {
    this.authorize = authorize
    this.question = question
  }

  decide(verb: string): Decision {
    return new Decision(this.authorize, { ...this.question, verb })
  }
}

class PathCheck extends Check {}
class GroupCheck extends Check {}
class ResourceCheck extends Check {
  with(part: Partial<AuthorizationQuestion>): ResourceCheck {
    return new ResourceCheck(this.authorize, { ...this.question, ...part })
  }
}

/** The value of `authorizer`: the rights of the user of a request, who asks for a resource. */
export class Authorizer extends Check {
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
}

const prefix = 'kubernetes.authorization'
const [authorizer, path, group, resource, decision] = [
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'],
].map((name) => `${prefix}.${name}`)

/** Source: Kubernetes documentation, "CEL in Kubernetes", authorizer library. */
export function registerAuthorizer(environment: Environment): void {
  environment.registerType(`${prefix}.Authorizer`, Authorizer)
  environment.registerType(`${prefix}.PathCheck`, PathCheck)
  environment.registerType(`${prefix}.GroupCheck`, GroupCheck)
  environment.registerType(`${prefix}.ResourceCheck`, ResourceCheck)
  environment.registerType(`${prefix}.Decision`, Decision)
  registerHandlers(environment, {
    [`${authorizer}.path(string): ${path}`]: ({ authorize, question }: Authorizer, to: string) =>
      new PathCheck(authorize, { ...question, path: to }),
    [`${authorizer}.group(string): ${group}`]: ({ authorize, question }: Authorizer, to: string) =>
      new GroupCheck(authorize, { ...question, group: to }),
    [`${authorizer}.serviceAccount(string, string): ${authorizer}`]: (
      { authorize, requestResource }: Authorizer,
      namespace: string,
      name: string,
    ) => new Authorizer(authorize, requestResource.question, { namespace, name }),
    [`${group}.resource(string): ${resource}`]: ({ authorize, question }: GroupCheck, to: string) =>
      new ResourceCheck(authorize, { ...question, resource: to }),
    [`${resource}.subresource(string): ${resource}`]: (of: ResourceCheck, to: string) =>
      of.with({ subresource: to }),
    [`${resource}.namespace(string): ${resource}`]: (of: ResourceCheck, to: string) =>
      of.with({ namespace: to }),
    [`${resource}.name(string): ${resource}`]: (of: ResourceCheck, to: string) =>
      of.with({ name: to }),
    // Rights here do not look at selectors, and what is allowed without one is with it.
    [`${resource}.fieldSelector(string): ${resource}`]: (of: ResourceCheck) => of,
    [`${resource}.labelSelector(string): ${resource}`]: (of: ResourceCheck) => of,
    [`${resource}.check(string): ${decision}`]: (of: ResourceCheck, verb: string) =>
      of.decide(verb),
    [`${path}.check(string): ${decision}`]: (of: PathCheck, verb: string) => of.decide(verb),
    [`${decision}.allowed(): bool`]: (of: Decision) => of.allowed,
    [`${decision}.reason(): string`]: (of: Decision) => of.reason,
    [`${decision}.errored(): bool`]: (of: Decision) => of.error !== '',
    [`${decision}.error(): string`]: (of: Decision) => of.error,
  })
}
