import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """NetVLAD: summed residuals of features to softly assigned clusters, with ghosts.

    assignment = softmax(batch_norm(x @ clusters)) over all clusters, of which the
    ghost clusters are then dropped. For cluster k, vlad[:, k] is the sum over the
    features of assignment[k] * (x - clusters2[:, k]); each cluster's vector and then
    the whole flattened result are scaled to unit length.
    The batch normalisation uses the statistics of the batch (training mode). mask is
    not used. x has shape (batch_size, num_features, feature_size), the result
    (batch_size, feature_size * cluster_size).
    """

    def __init__(self, cluster_size: int, feature_size: int, ghost_clusters: int) -> None:
        super().__init__()
        self.feature_size = feature_size
        self.cluster_size = cluster_size
        self.ghost_clusters = ghost_clusters

        scale = 1 / math.sqrt(feature_size)
        clusters = cluster_size + ghost_clusters
        self.clusters = nn.Parameter(scale * torch.randn(feature_size, clusters))
        self.batch_norm = nn.BatchNorm1d(clusters)
        self.clusters2 = nn.Parameter(scale * torch.randn(1, feature_size, cluster_size))
        self.out_dim = cluster_size * feature_size

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        batch, num_features, _ = x.shape
        scores = self.batch_norm(x.view(-1, self.feature_size) @ self.clusters)
        assignment = F.softmax(scores, dim=1)[:, : self.cluster_size]
        assignment = assignment.view(batch, num_features, self.cluster_size)

        centre = assignment.sum(dim=1, keepdim=True) * self.clusters2
        # (batch, clusters, features) @ (batch, features, size) -> (batch, size, clusters)
        vlad = (assignment.transpose(1, 2) @ x).transpose(1, 2) - centre
        vlad = F.normalize(vlad, dim=1)
        return F.normalize(vlad.reshape(batch, -1), dim=1)


batch_size = 2048
num_features = 100
num_clusters = 32
feature_size = 512
ghost_clusters = 16


def get_inputs() -> list[torch.Tensor]:
    return [torch.rand(batch_size, num_features, feature_size)]


def get_init_inputs() -> list:
    return [num_clusters, feature_size, ghost_clusters]
