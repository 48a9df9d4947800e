import { kindPath, type Kind, type Place } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { ConfirmDelete } from '../parts/ConfirmDelete.tsx'
import { Note } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'
import { goTo, kindHref } from '../shell/route.ts'

interface DeleteDialogProps {
  kind: Kind
  place: Place
  object: ApiObject
  onClose: () => void
}

/** Deletes exactly this object, not a newer one with the same name. */
export function DeleteDialog({ kind, place, object, onClose }: DeleteDialogProps) {
  const { client } = useConsole()
  const say = useSay()
  const { finalizers = [], uid } = object.metadata
  const run = async () => {
    const preconditions = uid === undefined ? {} : { uid }
    const body = { preconditions, propagationPolicy: 'Background' }
    await client.call(kindPath(kind, place), { method: 'DELETE', body })
    say(`${kind.kind} ${place.name} is deleted.`)
    onClose()
    if (finalizers.length === 0) goTo(kindHref(kind))
  }
  return (
    <ConfirmDelete title={`Delete ${kind.kind} ${place.name}?`} onClose={onClose} onDelete={run}>
      <p>
        {kind.group === '' && kind.plural === 'namespaces'
          ? 'Everything in the namespace is deleted with it.'
          : 'Objects that it owns are deleted with it.'}{' '}
        This cannot be undone.
      </p>
      {finalizers.length === 0 ? null : (
        <Note tone="warn">It goes once these finalizers are done: {finalizers.join(', ')}.</Note>
      )}
    </ConfirmDelete>
  )
}
