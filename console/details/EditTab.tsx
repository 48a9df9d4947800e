import { useMemo, useState } from 'react'
import type { Kind, Place } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { threeWay } from '../editor/merge.ts'
import { parseYaml, problemsOf, yamlOf, type TextProblem } from '../editor/yaml.ts'
import { Note } from '../parts/notes.tsx'
import { useKeys } from '../shell/keys.ts'
import { SaveDialog } from './SaveDialog.tsx'
import { ObjectEditor } from './ObjectEditor.tsx'

interface EditTabProps {
  kind: Kind
  place: Place
  object: ApiObject
  mayUpdate: boolean
  mayPatch: boolean
}

/** Editor of the object's YAML. Offers to merge concurrent changes. */
export function EditTab({ kind, place, object, mayUpdate, mayPatch }: EditTabProps) {
  const [base, setBase] = useState(object)
  const [text, setText] = useState(() => yamlOf(object))
  const [problems, setProblems] = useState<readonly TextProblem[]>([])
  const [draft, setDraft] = useState<ApiObject>()
  const [conflicts, setConflicts] = useState<readonly string[]>([])
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
    // A second change may arrive before the first merge is saved.
    setConflicts((old) => [
      ...new Set([
        ...old,
        ...merged.conflicts.filter((path) => !path.startsWith('metadata.resourceVersion')),
      ]),
    ])
    setBase(object)
    setText(yamlOf(merged.value))
  }
  useKeys(mayUpdate && isChanged ? { 'mod+s': review } : {})
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
      <ObjectEditor
        {...{ kind, problems }}
        label={place.name ?? ''}
        value={text}
        isNew={false}
        {...(mayUpdate ? { onChange: setText } : {})}
      />
      {draft === undefined ? null : (
        <SaveDialog
          {...{ kind, place }}
          before={base}
          after={draft}
          mayApply={mayPatch}
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

/** The object without fields that only the server writes, so that a merge does not see them as changes. */
function plain({ metadata, ...rest }: ApiObject): ApiObject {
  const { managedFields: _, ...kept } = metadata
  return { ...rest, metadata: kept }
}

/** Changes to be stored on top of the newest version. */
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
