/** Driven browser: what the payment in a real browser needs of its driver. Scripts are texts: they run in the browser. */
export interface DrivenBrowser {
  /** Name and version. */
  readonly label: string
  open(url: string): Promise<void>
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>
  /** The same in the bank's page, two frames deep and on another host. */
  evaluateInBank(expression: string): Promise<unknown>
  type(selector: string, text: string): Promise<void>
  click(selector: string): Promise<void>
  /** Sets the size of the page; it is opened after that. */
  resize(width: number, height: number): Promise<void>
  screenshot(): Promise<Buffer>
  /** From now on requests for these addresses fail; null: none. */
  lose(files: RegExp | null): void
  /** Errors that pages have reported; empty where the driver cannot hear them. */
  errors(): readonly string[]
  close(): Promise<void>
}
