import { useState } from 'react'
import { apiVersionOf, type Kind } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { parseYaml, problemsOf, type TextProblem } from '../editor/yaml.ts'
import { Missing } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useKnownRights } from '../shell/rights.ts'
import { accessHref, goTo, kindHref, objectHref, parseRoute, useHash } from '../shell/route.ts'
import { ObjectEditor } from './ObjectEditor.tsx'
import { SaveDialog } from './SaveDialog.tsx'

/** Creates an object from a form generated from its schema, or from YAML. */
export default function CreatePage({ kind }: { kind: Kind }) {
  const { namespace: chosen } = useConsole()
  const wanted = parseRoute(useHash()).query.get('ns') ?? ''
  const namespace = kind.namespaced ? wanted || chosen || 'default' : ''
  const rights = useKnownRights(namespace)
  const [text, setText] = useState(() => template(kind, namespace))
  const [problems, setProblems] = useState<readonly TextProblem[]>([])
  const [draft, setDraft] = useState<ApiObject>()
  const review = () => {
    const parsed = parseYaml(text)
    if ('problems' in parsed) return setProblems(parsed.problems)
    setProblems([])
    setDraft(parsed.object)
  }
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <p className="crumbs">
            <a href={kindHref(kind)}>{kindTitle(kind)}</a>
          </p>
          <h1>Create {kind.kind}</h1>
        </div>
        <div className="buttons">
          <button type="button" className="button main" onClick={review}>
            Review and create
          </button>
        </div>
      </div>
      {rights?.allow('create', kind) === false ? (
        <Missing
          what={`create ${kindTitle(kind).toLowerCase()} here`}
          why={accessHref('create', kind, { namespace })}
        />
      ) : (
        <ObjectEditor
          {...{ kind, problems }}
          label={`the new ${kind.kind}`}
          value={text}
          onChange={setText}
          isNew
        />
      )}
      {draft === undefined ? null : (
        <SaveDialog
          kind={kind}
          place={{ namespace: draft.metadata.namespace ?? namespace }}
          before={undefined}
          after={draft}
          onClose={() => setDraft(undefined)}
          onSaved={({ metadata }) => goTo(objectHref(kind, metadata))}
          onError={(error) => setProblems(problemsOf(error, text))}
        />
      )}
    </main>
  )
}

function template(kind: Kind, namespace: string): string {
  const lines = [
    `apiVersion: ${apiVersionOf(kind)}`,
    `kind: ${kind.kind}`,
    'metadata:',
    '  name: my-object',
    ...(namespace === '' ? [] : [`  namespace: ${namespace}`]),
  ]
  return `${lines.join('\n')}\n`
}
