/** Dialog: a sheet from below on a phone, a card in the middle of a wide window. It keeps the focus and gives it back. */
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styles from './overlay.module.css'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  /** By Escape, or by a press outside of it. */
  onClose(): void
  /** False while something is sent that must not be left. */
  readonly isDismissable?: boolean
  /** What a person must decide before all else is announced at once. */
  readonly role?: 'dialog' | 'alertdialog'
  /** The buttons, the first one being the one that acts. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Dialog = ({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  role = 'dialog',
  actions,
  children,
}: DialogProps) => (
  <ModalOverlay
    className={styles['backdrop'] ?? ''}
    isOpen={isOpen}
    onOpenChange={(opens) => {
      if (!opens) onClose()
    }}
    isDismissable={isDismissable}
    isKeyboardDismissDisabled={!isDismissable}
  >
    <Modal className={styles['modal'] ?? ''}>
      <AriaDialog className={styles['dialog'] ?? ''} role={role}>
        <Heading slot="title" level={2} className={styles['title'] ?? ''}>
          {title}
        </Heading>
        {children}
        {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
