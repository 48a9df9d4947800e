/**
 * Error that ends an evaluation that exceeded its budget. Operators do not treat it as a failed
 * operand.
 */
export class CostExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}
