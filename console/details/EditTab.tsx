import { useMemo, useState } from 'react'
import type { Kind, Place } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { threeWay } from '../editor/merge.ts'
import { parseYaml, placeOf, yamlOf, type TextProblem } from '../editor/yaml.ts'
import { YamlEditor } from '../editor/YamlEditor.tsx'
import { Note } from '../parts/notes.tsx'
import { StatusError } from '../watch/statusError.ts'
import { SaveDialog } from './SaveDialog.tsx'
import { useSchemaHelp } from './schemaHelp.ts'

interface EditTabProps {
  kind: Kind
  place: Place
  object: ApiObject
  mayUpdate: boolean
}

/** The object as YAML. A change made elsewhere meanwhile is offered to be joined with one's own. */
export function EditTab({ kind, place, object, mayUpdate }: EditTabProps) {
  const [base, setBase] = useState(object)
  const [text, setText] = useState(() => yamlOf(object))
  const [problems, setProblems] = useState<readonly TextProblem[]>([])
  const [draft, setDraft] = useState<ApiObject>()
  const [conflicts, setConflicts] = useState<readonly string[]>([])
  const help = useSchemaHelp(kind)
  const original = useMemo(() => yamlOf(base), [base])
  const isChanged = text !== original
  const isNewer = object.metadata.resourceVersion !== base.metadata.resourceVersion
  const reset = (next: ApiObject) => {
    setBase(next)
    setText(yamlOf(next))
    setProblems([])
    setConflicts([])
  }
  const review = () => {
    const parsed = parseYaml(text)
    if ('problems' in parsed) return setProblems(parsed.problems)
    setProblems([])
    setDraft(parsed.object)
  }
  const join = () => {
    const parsed = parseYaml(text)
    if ('problems' in parsed) return setProblems(parsed.problems)
    const merged = threeWay(plain(base), withVersion(parsed.object, object), plain(object))
    setConflicts(merged.conflicts.filter((path) => !path.startsWith('metadata.resourceVersion')))
    setBase(object)
    setText(yamlOf(merged.value))
  }
  if (!isChanged && isNewer) reset(object)
  return (
    <div className="stack">
      {isChanged && isNewer ? (
        <Note tone="warn">
          <p>
            {kind.kind} {place.name} has changed since you began to edit.
          </p>
          <p className="buttons">
            <button type="button" className="button" onClick={join}>
              Join the changes
            </button>
            <button type="button" className="button" onClick={() => reset(object)}>
              Discard mine
            </button>
          </p>
        </Note>
      ) : null}
      {conflicts.length === 0 ? null : (
        <Note tone="warn">
          Both changed {conflicts.join(', ')}. Your values are kept; the diff before saving shows
          them beside the stored ones.
        </Note>
      )}
      {mayUpdate ? (
        <div className="buttons">
          <button type="button" className="button main" disabled={!isChanged} onClick={review}>
            Review and save
          </button>
          <button
            type="button"
            className="button"
            disabled={!isChanged}
            onClick={() => reset(object)}
          >
            Discard
          </button>
        </div>
      ) : (
        <Note>Your account may read this object, but not change it.</Note>
      )}
      <YamlEditor
        label={`YAML of ${place.name ?? ''}`}
        value={text}
        problems={problems}
        {...(mayUpdate ? { onChange: setText } : {})}
        {...help}
      />
      {draft === undefined ? null : (
        <SaveDialog
          {...{ kind, place }}
          before={base}
          after={draft}
          onClose={() => setDraft(undefined)}
          onSaved={(saved) => {
            setDraft(undefined)
            reset(saved)
          }}
          onError={(error) => setProblems(problemsOf(error, text))}
        />
      )}
    </div>
  )
}

/** The object without what only the server writes, so that joining does not see it as a change. */
function plain({ metadata, ...rest }: ApiObject): ApiObject {
  const { managedFields: _, ...kept } = metadata
  return { ...rest, metadata: kept }
}

/** Changes to be stored on the newest version. */
function withVersion(mine: ApiObject, { metadata }: ApiObject): ApiObject {
  const { resourceVersion, generation } = metadata
  return {
    ...mine,
    metadata: {
      ...mine.metadata,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(generation === undefined ? {} : { generation }),
    },
  }
}

/** Causes of an error at their places in the text. */
export function problemsOf(error: unknown, text: string): TextProblem[] {
  if (!(error instanceof StatusError)) return []
  return (error.details.causes ?? []).map(({ field = '', message = '' }) => ({
    ...placeOf(text, field),
    message: `${field}: ${message}`,
  }))
}
