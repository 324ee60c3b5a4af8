/** Icons of the console: lines of one weight in the colour of the text beside them. */

const PATHS = {
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  checkouts: 'M4 6h16M4 12h16M4 18h10',
  newLink: 'M12 5v14M5 12h14',
  counter: 'M6 3h12v18H6zM9 7h6M9 12h.01M12 12h.01M15 12h.01M9 16h.01M12 16h.01M15 16h.01',
  money: 'M7 4l5 7 5-7M12 11v9M8 12.5h8M8 16h8',
  links: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1-1',
  look: 'M12 3a9 9 0 1 0 0 18c1.500 0 2-1 2-2s-1-1.500-1-2.500 1-1.500 2-1.500h2a4 4 0 0 0 4-4c0-4.500-4-8-9-8zM7.500 12h.01M9.500 7.500h.01M14.500 7.500h.01',
  developers: 'M9 8l-5 4 5 4M15 8l5 4-5 4',
  people:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-3.500 2.500-6 6-6s6 2.500 6 6M16 4.500a3.500 3.500 0 0 1 0 6.500M17.500 14.500c2 .8 3.500 2.800 3.500 5.500',
  person: 'M12 11.500a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.500-6.500 8-6.500s8 2.500 8 6.500',
  operator: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  more: 'M5 12a.8.8 0 1 0 1.600 0 .8.8 0 1 0-1.600 0M11.200 12a.8.8 0 1 0 1.600 0 .8.8 0 1 0-1.600 0M17.400 12a.8.8 0 1 0 1.600 0 .8.8 0 1 0-1.600 0',
  signOut: 'M13 4H5v16h8M9 12h11M17 9l3 3-3 3',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  caret: 'M7 10l5 5 5-5',
  close: 'M6 6l12 12M18 6L6 18',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  key: 'M14.500 9.500a4.500 4.500 0 1 0-3.800 4.400L12.500 16H15v2.500h2.500V21H21v-3l-6.700-6.700c.1-.6.2-1.200.2-1.800zM8 8.500h.01',
  mail: 'M3 6h18v13H3zM3 7l9 7 9-7',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  before: 'M15 6l-6 6 6 6',
  after: 'M9 6l6 6-6 6',
} as const

export type IconName = keyof typeof PATHS

/** Beside words that say the same: a screen reader leaves it out. */
export const Icon = ({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={PATHS[name]} />
  </svg>
)
