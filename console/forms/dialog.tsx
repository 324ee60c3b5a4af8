/** Dialog: a sheet from below on a phone, a card in the middle of a wide window. It keeps the focus and gives it back. */
import { createContext, useCallback, useContext, useLayoutEffect, useRef, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import styles from './overlay.module.css'

const HoldContext = createContext<(isHeld: boolean) => void>(() => undefined)

/** Keeps the dialog around it open while a call runs: a link or a key that it answers with is shown this once. */
export const useHeldDialog = (isHeld: boolean): void => {
  const hold = useContext(HoldContext)
  // In the commit that shows the call as running: a task later, Escape would close the dialog in between, and what is made is lost.
  useLayoutEffect(() => {
    hold(isHeld)
    return () => hold(false)
  }, [hold, isHeld])
}

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  /** By Escape, or by a press outside of it. */
  onClose(): void
  /** False while something is sent that must not be left; a form in it says so by itself. */
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
}: DialogProps) => {
  // Refs, because the overlay's own listeners change only after the commit.
  const isHeld = useRef(false)
  const mayClose = useRef(isDismissable)
  useLayoutEffect(() => {
    mayClose.current = isDismissable
  }, [isDismissable])
  const hold = useCallback((held: boolean) => {
    isHeld.current = held
  }, [])
  return (
    <ModalOverlay
      className={styles['backdrop'] ?? ''}
      isOpen={isOpen}
      onOpenChange={(opens) => {
        if (!opens && mayClose.current && !isHeld.current) onClose()
      }}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
    >
      <Modal className={styles['modal'] ?? ''}>
        <AriaDialog className={styles['dialog'] ?? ''} role={role}>
          <Heading slot="title" level={2} className={styles['title'] ?? ''}>
            {title}
          </Heading>
          <HoldContext value={hold}>{children}</HoldContext>
          {actions === undefined ? null : <div className={styles['actions']}>{actions}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
