import type en from '../en/dashboard.ts'

export default {} satisfies typeof en
