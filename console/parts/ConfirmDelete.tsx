import { useState, type ReactNode } from 'react'
import { Modal } from './Confirm.tsx'
import { ErrorNote } from './notes.tsx'

interface ConfirmDeleteProps {
  title: string
  children: ReactNode
  onClose: () => void
  /** Deletes, and closes the dialog afterwards. @throws an error, which the dialog shows. */
  onDelete: () => Promise<void>
  closeText?: string
  /** Text of the button during or after the deletion; absent: the button is enabled. */
  progress?: string | undefined
}

/** Dialog that asks before a deletion. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  const { title, children, onClose, onDelete, closeText = 'Cancel', progress } = props
  const [error, setError] = useState<unknown>()
  return (
    <Modal
      title={title}
      onClose={onClose}
      closeText={closeText}
      footer={
        <button
          type="button"
          className="button danger"
          disabled={progress !== undefined}
          onClick={() => void onDelete().catch(setError)}
        >
          {progress ?? 'Delete'}
        </button>
      }
    >
      {error === undefined ? null : <ErrorNote error={error} />}
      {children}
    </Modal>
  )
}
