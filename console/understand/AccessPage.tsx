import { useState } from 'react'
import { kindId, platformKind, type Kind } from '../api/kinds.ts'
import { useLoaded } from '../parts/loading.ts'
import { Badge, ErrorNote, Note, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { objectHref, parseRoute, replaceQuery, useHash } from '../shell/route.ts'
import { grantIn, otherGround, type Grant } from './decisions.ts'
import { WhomToAsk } from './WhomToAsk.tsx'

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']

export interface Question {
  verb: string
  kind: Kind
  namespace: string
  name: string
  /** User to check; empty: the current user. */
  user: string
}

/**
 * Page that explains whether a request is allowed, and names the role and the binding, or the
 * missing right.
 */
export default function AccessPage() {
  const { kinds } = useConsole()
  const { query } = parseRoute(useHash())
  const given = (name: string) => query.get(name) ?? ''
  const kind = kinds.find((each) => kindId(each) === given('kind'))
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>Who may do what</h1>
          <p className="crumbs">
            <span>The server decides, and names the role and the binding that decide.</span>
          </p>
        </div>
      </div>
      <Asking key={query.toString()} given={given} />
      {kind === undefined ? null : (
        <Decision
          verb={given('verb') || 'get'}
          {...{ kind }}
          namespace={kind.namespaced ? given('ns') : ''}
          name={given('name')}
          user={given('user')}
        />
      )}
    </main>
  )
}

function Asking({ given }: { given: (name: string) => string }) {
  const { kinds, everywhere, namespace } = useConsole()
  const [draft, setDraft] = useState({
    verb: given('verb') || 'get',
    kind: given('kind') || 'core/v1/configmaps',
    ns: given('ns') || namespace,
    name: given('name'),
    user: given('user'),
  })
  const reviews = { group: 'authorization.k8s.io', plural: 'subjectaccessreviews' }
  const mayAskForOthers = everywhere.allow('create', reviews)
  const field = (key: keyof typeof draft, label: string) => (
    <div className="field">
      <label htmlFor={`ask-${key}`}>{label}</label>
      <input
        id={`ask-${key}`}
        className="input"
        value={draft[key]}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setDraft({ ...draft, [key]: event.target.value.trim() })}
      />
    </div>
  )
  return (
    <form
      className="card inside-form"
      onSubmit={(event) => {
        event.preventDefault()
        replaceQuery(draft)
      }}
    >
      <div className="tiles narrow">
        <div className="field">
          <label htmlFor="ask-verb">Verb</label>
          <select
            id="ask-verb"
            className="input"
            value={draft.verb}
            onChange={(event) => setDraft({ ...draft, verb: event.target.value })}
          >
            {verbs.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="ask-kind">Kind</label>
          <select
            id="ask-kind"
            className="input"
            value={draft.kind}
            onChange={(event) => setDraft({ ...draft, kind: event.target.value })}
          >
            {[...kinds]
              .sort((a, b) => kindTitle(a).localeCompare(kindTitle(b)))
              .map((each) => (
                <option key={kindId(each)} value={kindId(each)}>
                  {kindTitle(each)} ({kindId(each)})
                </option>
              ))}
          </select>
        </div>
        {field('ns', 'Namespace (empty: all)')}
        {field('name', 'Name (empty: any)')}
        {mayAskForOthers ? field('user', 'User (empty: you)') : null}
      </div>
      <div>
        <button className="button main">Check</button>
      </div>
    </form>
  )
}

interface Review {
  status: { allowed?: boolean; reason?: string; evaluationError?: string }
}

function Decision(question: Question) {
  const { client } = useConsole()
  const { verb, kind, namespace, name, user } = question
  const review = useLoaded(
    (signal) => {
      const { group, plural: resource } = kind
      const resourceAttributes = { verb, group, resource, namespace, name }
      const plural = user === '' ? 'selfsubjectaccessreviews' : 'subjectaccessreviews'
      return client.call<Review>(`/apis/authorization.k8s.io/v1/${plural}`, {
        method: 'POST',
        body: { spec: { resourceAttributes, ...(user === '' ? {} : { user }) } },
        signal,
      })
    },
    [verb, kindId(kind), namespace, name, user],
  )
  if (review.state === 'loading') return <Skeleton lines={3} />
  if (review.state === 'failed') return <ErrorNote error={review.error} onRetry={review.reload} />
  const { allowed = false, reason = '', evaluationError = '' } = review.value.status
  return (
    <section className="card" aria-live="polite">
      <header>
        <h2 className="wrap">{sentence(question, allowed)}</h2>
        <Badge tone={allowed ? 'good' : 'bad'}>{allowed ? 'Allowed' : 'Not allowed'}</Badge>
      </header>
      <div className="inside stack">
        {allowed ? <Ground reason={reason} /> : <Lack {...question} reason={reason} />}
        {evaluationError === '' ? null : <Note tone="warn">{evaluationError}</Note>}
      </div>
    </section>
  )
}

function sentence({ verb, kind, namespace, name, user }: Question, allowed: boolean): string {
  const what = name === '' ? kindTitle(kind).toLowerCase() : `the ${kind.kind} “${name}”`
  const where = !kind.namespaced ? '' : namespace === '' ? ' in all namespaces' : ` in ${namespace}`
  return `${user === '' ? 'You' : user} may ${allowed ? '' : 'not '}${verb} ${what}${where}`
}

function Ground({ reason }: { reason: string }) {
  const grant = grantIn(reason)
  if (grant === undefined) return <p>{otherGround(reason)}</p>
  return (
    <dl className="facts">
      <dt>Role</dt>
      <dd>
        <RbacLink kind={grant.roleKind} name={grant.role} namespace={grant.namespace} />
      </dd>
      <dt>Binding</dt>
      <dd>
        <RbacLink kind={grant.bindingKind} name={grant.binding} namespace={grant.namespace} />
      </dd>
      <dt>Given to</dt>
      <dd>
        {grant.subjectKind} {grant.subject}
      </dd>
      <dt>Applies to</dt>
      <dd>{placeOf(grant)}</dd>
    </dl>
  )
}

function placeOf({ namespace }: Grant): string {
  return namespace === '' ? 'all namespaces' : `the namespace ${namespace}`
}

function RbacLink({ kind, name, namespace }: { kind: string; name: string; namespace: string }) {
  const { kinds, everywhere } = useConsole()
  const found = kinds.find(
    (each) => each.group === 'rbac.authorization.k8s.io' && each.kind === kind,
  )
  const text = `${kind} ${name}`
  if (found === undefined || !everywhere.allow('get', found, { name })) return <>{text}</>
  return <a href={objectHref(found, { namespace, name })}>{text}</a>
}

function Lack({ verb, kind, namespace, reason, user }: Question & { reason: string }) {
  const { me, kinds } = useConsole()
  const prefix = me.projectNamespacePrefix ?? ''
  const project =
    prefix !== '' && namespace.startsWith(prefix) ? namespace.slice(prefix.length) : ''
  const rule = { apiGroups: [kind.group], resources: [kind.plural], verbs: [verb] }
  return (
    <>
      <p>
        No role of {user === '' ? 'your account' : 'this user'} has this rule
        {kind.namespaced && namespace !== '' ? ` in the namespace ${namespace}` : ''}:
      </p>
      <pre className="outline">{JSON.stringify(rule, undefined, 2)}</pre>
      {reason === '' ? null : <Note>{reason}</Note>}
      <WhomToAsk project={project} kind={platformKind(kinds, 'projects')} />
    </>
  )
}
