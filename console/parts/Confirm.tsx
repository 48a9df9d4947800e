import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react'
import type { ReactNode } from 'react'

interface ModalProps {
  title: string
  onClose: () => void
  children: ReactNode
  /** Buttons beside the one that closes the dialog. */
  footer?: ReactNode
  isWide?: boolean
  closeText?: string
}

/** Modal dialog; Escape closes it and the focus returns to its previous place. */
export function Modal(props: ModalProps) {
  const { title, onClose, children, footer, isWide = false, closeText = 'Cancel' } = props
  return (
    <Dialog
      open
      onClose={onClose}
      className={isWide ? 'dialog wide' : 'dialog'}
      backdrop={<div className="backdrop" />}
    >
      <header>
        <DialogHeading>{title}</DialogHeading>
      </header>
      <div className="inside">{children}</div>
      <footer>
        <DialogDismiss className="button">{closeText}</DialogDismiss>
        {footer}
      </footer>
    </Dialog>
  )
}
