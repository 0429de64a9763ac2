/** The largest tile, packed and unpacked: a small file must not unpack into gigabytes. */
export const largestTile = 8 * 1024 * 1024;
/** The largest metadata, unpacked. */
export const largestMetadata = 4 * 1024 * 1024;
export const mostLayers = 256;
/** Beyond this zoom a tile is a few centimetres wide, and its number is no longer a safe integer. */
export const deepestTileZoom = 26;
