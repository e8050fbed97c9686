// SPDX-License-Identifier: Apache-2.0

#ifndef GATEHOUSE_CTRANSFER_GUARD_H
#define GATEHOUSE_CTRANSFER_GUARD_H

#include "CTransfer.h"

#include <stdbool.h>
#include <sys/socket.h>

/// As `ctransfer_is_public`, of an address that is about to be connected to.
bool ctransfer_is_public_address(const struct sockaddr *address);

/// As `ctransfer_is_own`, of an address that is about to be connected to.
ctransfer_own ctransfer_is_own_address(const struct sockaddr *address);

/// Whether an address is of this machine itself: one of its interfaces has it.
ctransfer_own ctransfer_is_this_machine(const struct sockaddr *address);

/// Whether an address that is about to be connected to is in one of the networks, and none that is never admitted.
bool ctransfer_is_in_networks(const struct sockaddr *address, const ctransfer_network *networks, size_t count);

#endif
