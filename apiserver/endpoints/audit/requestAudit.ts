import type { AuditLog } from '../../audit/auditLog.ts'
import {
  microTime,
  type AuditEvent,
  type AuditObjectReference,
  type AuditUser,
} from '../../audit/auditEvent.ts'
import type { AuditDecision, DecideAudit } from '../../audit/auditPolicy.ts'
import type { AuditStage } from '../../audit/auditSettings.ts'
import { bodySchema, redactRequest, redactResponse } from '../../audit/redactBody.ts'
import { holdsSecrets } from '../../audit/redaction.ts'
import { shownUri } from '../../audit/requestUri.ts'
import { responseStatus } from '../../audit/responseStatus.ts'
import type { AuditAttributes } from '../../audit/auditRuleMatcher.ts'
import type { Clock } from '../../meta/clock.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { Schema } from '../../meta/schema.ts'
import type { Status } from '../../meta/status.ts'
import type { UserInfo } from '../../meta/types.ts'
import { selectedName } from '../filters/authorization.ts'
import type { Exchange } from '../exchange.ts'
import type { ExchangeAudit } from './exchangeAudit.ts'
import { sourceIps } from './sourceIps.ts'

/**
 * Maximum size of a recorded body; a larger one is replaced by an annotation. Source: platform
 * facts 1.7.
 */
const maxBodyBytes = 2 * 1024 * 1024
const truncated = 'audit.k8s.io/truncated'

/**
 * The audit record of one exchange, reported by the parts of the chain; it only exists while auditing is enabled, and
 * is detached when the policy excludes the request.
 */
export class RequestAudit implements ExchangeAudit {
  readonly #exchange: Exchange
  readonly #log: AuditLog
  readonly #decide: DecideAudit
  readonly #clock: Clock
  /** Address of the client, read at once since a closed connection has none. */
  readonly #remote: string | undefined
  #decision: AuditDecision | 'undecided' | undefined = 'undecided'
  #user: UserInfo | undefined
  #reference: AuditObjectReference = {}
  #request: unknown
  #response: (() => unknown) | undefined
  #status: Status | undefined
  #streamCode: number | undefined
  #streamEnded: (() => void) | undefined
  #isPanic = false
  readonly #annotations: Record<string, string> = {}

  constructor(exchange: Exchange, log: AuditLog, decide: DecideAudit, clock: Clock) {
    this.#exchange = exchange
    this.#log = log
    this.#decide = decide
    this.#clock = clock
    this.#remote = exchange.request.socket.remoteAddress
  }

  received(user: UserInfo | undefined): boolean {
    this.#user = user
    this.#decision = this.#decide(attributesOf(this.#exchange, user))
    if (this.#decision !== undefined) this.#write('RequestReceived')
    return this.#decision !== undefined
  }

  requestObject(value: unknown, bytes: number): void {
    if (isObject(value)) this.#reference = referenceIn(value)
    if (this.#level() === undefined || this.#level() === 'Metadata') return
    if (bytes > maxBodyBytes) this.annotate(truncated, 'true')
    else this.#request = redactRequest(value, this.#schema())
  }

  responseObject(make: () => unknown, bytes: number): void {
    if (this.#level() !== 'RequestResponse' || !this.#exchange.info.isResource) return
    if (bytes > maxBodyBytes) this.annotate(truncated, 'true')
    else this.#response = make
  }

  responseStatus(status: Status): void {
    this.#status = status
  }

  streamStarted(code: number): void {
    this.#streamCode = code
    this.#streamEnded = this.#log.streamOpened(() => this.finished())
    this.#write('ResponseStarted')
  }

  panicked(): void {
    this.#isPanic = true
  }

  annotate(key: string, value: string): void {
    this.#annotations[key] = value
  }

  /** Completes the record when the response is complete, or the connection closed. A second call has no effect. */
  finished(): void {
    if (this.#decision === 'undecided') this.received(undefined)
    this.#write(this.#isPanic ? 'Panic' : 'ResponseComplete')
    this.#decision = undefined
    this.#streamEnded?.()
  }

  #level(): AuditDecision['level'] | undefined {
    return typeof this.#decision === 'object' ? this.#decision.level : undefined
  }

  #schema(): Schema | undefined {
    return this.#exchange.bodyKind?.schema
  }

  #write(stage: AuditStage): void {
    const decision = this.#decision
    if (typeof decision !== 'object' || decision.omitted.has(stage)) return
    this.#log.write(this.#event(stage, decision))
  }

  #event(stage: AuditStage, { level }: AuditDecision): AuditEvent {
    const { request, info, auditId, user, startedMs } = this.#exchange
    const isActing = this.#user !== undefined && user !== this.#user
    const agent = request.headers['user-agent']
    return {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level,
      auditID: auditId,
      stage,
      requestURI: shownUri(request.url ?? ''),
      verb: info.verb,
      user: this.#user === undefined ? {} : shownUser(this.#user),
      ...(isActing ? { impersonatedUser: shownUser(user) } : {}),
      sourceIPs: sourceIps(request.headers, this.#remote),
      ...(agent === undefined ? {} : { userAgent: agent }),
      ...(info.isResource ? { objectRef: this.#objectRef() } : {}),
      ...(stage === 'RequestReceived' ? {} : this.#answer(stage)),
      requestReceivedTimestamp: microTime(startedMs),
      stageTimestamp: microTime(this.#clock.now()),
      ...(Object.keys(this.#annotations).length === 0 ? {} : { annotations: this.#annotations }),
    }
  }

  #objectRef(): AuditObjectReference {
    const { group, version, resource, subresource, namespace, name } = this.#exchange.info
    const merged = {
      resource,
      namespace: namespace === '' ? this.#reference.namespace : namespace,
      name: name === '' ? this.#reference.name : name,
      uid: this.#reference.uid,
      apiGroup: group,
      apiVersion: version,
      resourceVersion: this.#reference.resourceVersion,
      subresource,
    }
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value))
  }

  #answer(stage: AuditStage): Partial<AuditEvent> {
    const schema = this.#schema()
    // The message of an error may quote the request body.
    const mayTell = schema === undefined || !holdsSecrets(bodySchema(schema))
    const { response } = this.#exchange
    const code = this.#streamCode ?? (response.headersSent ? response.statusCode : undefined)
    return {
      responseStatus: responseStatus(code, this.#status, mayTell),
      ...(this.#request === undefined ? {} : { requestObject: this.#request }),
      ...(stage === 'ResponseStarted' ? {} : this.#responsePart(schema)),
    }
  }

  #responsePart(schema: Schema | undefined): Partial<AuditEvent> {
    if (this.#response === undefined) return {}
    return { responseObject: redactResponse(this.#response(), schema) }
  }
}

function attributesOf(exchange: Exchange, user: UserInfo | undefined): AuditAttributes {
  const { info, plane } = exchange
  const { verb, isResource, group, subresource, namespace, path } = info
  const { target = 'Management', cluster = '' } = plane.auditTarget ?? {}
  return {
    user,
    verb,
    isResource,
    group,
    resource: plane.resources.get(info, info.resource)?.plural ?? info.resource,
    subresource,
    namespace,
    name: info.name === '' ? selectedName(exchange) : info.name,
    path,
    target,
    cluster,
  }
}

/** The user without its credential. */
function shownUser({ name, uid, groups, extra }: UserInfo): AuditUser {
  return {
    username: name,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  }
}

function referenceIn({ metadata }: Record<string, unknown>): AuditObjectReference {
  if (!isObject(metadata)) return {}
  const names = ['name', 'namespace', 'uid', 'resourceVersion'] as const
  const found = names.map((name) => [name, metadata[name]] as const)
  const texts = found.filter(
    ([, value]) => typeof value === 'string' && value.length <= longestName,
  )
  return Object.fromEntries(texts)
}

/** Maximum length of a name that can be stored. */
const longestName = 253
