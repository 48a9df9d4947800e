/** Amount that may still be spent, shared by all that hold it. The spending that exceeds it still happens. */
export interface Allowance {
  left: number
}
