/** The page that the specification documents where no `limit` is asked for (interface: Limits). */
export const defaultPage = 50;
/** The largest page that it documents: the `limit` with which incidents and evidence are asked for. */
export const largestPage = 200;
