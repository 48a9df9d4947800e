/** The result of one check of an installation. */
export interface Finding {
  /** Subject of the check, in one word. */
  check: string
  /** Severity. error: the server cannot start, or data is at risk. warning: it can start, but needs attention soon. */
  level: 'ok' | 'warning' | 'error'
  message: string
  /** Instruction for the operator, without a period; absent with `ok`. */
  advice?: string
}

export function fine(check: string, message: string): Finding {
  return { check, level: 'ok', message }
}

export function warning(check: string, message: string, advice: string): Finding {
  return { check, level: 'warning', message, advice }
}

export function failed(check: string, message: string, advice: string): Finding {
  return { check, level: 'error', message, advice }
}
