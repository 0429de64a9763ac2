/** What one tile may have at most, packed and unpacked: a small file must not unpack into gigabytes. */
export const largestTile = 8 * 1024 * 1024;
/** What the metadata may have at most, unpacked. */
export const largestMetadata = 4 * 1024 * 1024;
export const mostLayers = 256;
/** Beyond this zoom a tile is a few centimetres wide, and its number is no safe integer any more. */
export const deepestTileZoom = 26;
