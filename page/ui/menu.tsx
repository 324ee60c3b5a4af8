import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { itemForKey, opensUpward } from './menu-behaviour.ts'
import styles from './menu.module.css'

interface MenuItem<T extends string> {
  readonly value: T
  readonly label: string
  readonly lang?: string
}

interface MenuProps<T extends string> {
  readonly label: string
  readonly items: readonly MenuItem<T>[]
  readonly chosen: T
  readonly onChoose: (value: T) => void
}

/** Menu: a list to choose one item of. The focus stays on its button; screen readers get the active item by its id. */
export const Menu = <T extends string>({ label, items, chosen, onChoose }: MenuProps<T>) => {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState<{ readonly active: number; readonly upward: boolean } | null>(null)
  const chosenIndex = Math.max(
    items.findIndex(({ value }) => value === chosen),
    0,
  )
  const labels = items.map((item) => item.label)

  const show = (): void => {
    const bottom = opener.current?.getBoundingClientRect().bottom ?? 0
    setOpen({ active: chosenIndex, upward: opensUpward(items.length, window.innerHeight - bottom) })
  }
  const choose = (index: number): void => {
    const item = items[index]
    setOpen(null)
    opener.current?.focus()
    if (item !== undefined) onChoose(item.value)
  }

  useEffect(() => {
    if (open === null) return undefined
    const close = (event: PointerEvent): void => {
      if (event.target instanceof Node && opener.current?.parentElement?.contains(event.target) === true) return
      setOpen(null)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [open])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (open === null) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      show()
      return
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      setOpen(null)
      return
    }
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      choose(open.active)
      return
    }
    const active = itemForKey(event.key, open.active, labels)
    if (active === undefined) return
    event.preventDefault()
    setOpen({ ...open, active })
  }

  return (
    <div className={styles['menu']}>
      <button
        ref={opener}
        type="button"
        role="combobox"
        className={styles['opener']}
        aria-label={`${label}: ${labels[chosenIndex]}`}
        aria-haspopup="listbox"
        aria-expanded={open !== null}
        aria-controls={`${id}-list`}
        aria-activedescendant={open === null ? undefined : `${id}-${open.active}`}
        onClick={() => (open === null ? show() : setOpen(null))}
        onKeyDown={onKeyDown}
      >
        {labels[chosenIndex]}
        <svg
          className={styles['caret']}
          viewBox="0 0 10 10"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
        >
          <path d="M1.5 3.5 5 7l3.5-3.5" />
        </svg>
      </button>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        hidden={open === null}
        className={`${styles['list']} ${open?.upward === true ? styles['above'] : styles['below']}`}
      >
        {items.map((item, index) => (
          // The keyboard is handled on the opener, which keeps the focus.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={item.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            lang={item.lang}
            aria-selected={item.value === chosen}
            className={`${styles['item']} ${open?.active === index ? styles['active'] : ''}`}
            onClick={() => choose(index)}
          >
            {item.label}
          </div>
        ))}
      </div>
    </div>
  )
}
