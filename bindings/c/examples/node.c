/* Hashes a level of a Merkle tree: cc node.c -lhashlanes */
#include <stdio.h>
#include <string.h>

#include "hashlanes.h"

int main(void) {
    unsigned char nodes[4][64], parents[4][32];
    for (int i = 0; i < 4; i++) {
        memset(nodes[i], i, sizeof nodes[i]);
    }
    hashlanes_status status = hashlanes_sha256_nodes(nodes[0], 4, parents[0]);
    if (status != HASHLANES_OK) {
        fprintf(stderr, "node: %s\n", hashlanes_strerror(status));
        return 1;
    }
    printf("kernels: %s\n", hashlanes_backend());
    for (int i = 0; i < 32; i++) {
        printf("%02x", parents[0][i]);
    }
    printf("\n");
    return 0;
}
